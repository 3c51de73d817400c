"""What the board says unasked: events, which are counted, and log messages."""

from eyedeck.link import frame

_WRAP = 0x3FFFFFFF
_LONGEST = 300  # characters of a log message


class Events:
    """Sends events and log messages by `sender`; `clock` is the module time."""

    def __init__(self, sender, clock):
        self.count = 0
        self._sender = sender
        self._ticks = clock.ticks_ms

    def now(self):
        """Return the time as it is told to the host: ticks_ms, which begins again at 2^30 on every port."""
        return self._ticks() & _WRAP

    def event(self, kind, data):
        """Send an event."""
        self.count += 1
        self._put(kind, {"ev": kind, "n": self.count, "t": self.now(), "d": data})

    def log(self, level, text):
        """Send a log message, level d, i, w or e."""
        self._put("lg", {"lg": level, "m": text[:_LONGEST]})

    def _put(self, kind, obj):
        try:
            data = frame.encode(obj, frame.REPLY)
        except ValueError:  # a text full of characters that need escapes
            data = frame.encode({"lg": "e", "m": kind + ": too long to tell"}, frame.REPLY)
        self._sender.send(kind, data)
