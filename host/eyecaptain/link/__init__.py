"""The link to a board: finding its port, and requests, replies and events over its line (protocol 1)."""
