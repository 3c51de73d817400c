"""The board's end of the wire (protocol.md); `frame` and `session` are pure and run on CPython too."""
