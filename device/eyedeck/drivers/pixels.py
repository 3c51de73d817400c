"""The chip LEDs: six plain ones, or six WS2812. Both take a list of six (r, g, b)."""

from micropython import const

_LIT = const(100)  # a plain LED shines from here on


class Plain:
    """One LED on each of `pins`."""

    def __init__(self, pins):
        self._pins = pins

    def show(self, frame):
        """Light what has a colour."""
        for i in range(len(self._pins)):
            self._pins[i].value(max(frame[i]) >= _LIT)


class Pixels:
    """WS2812 behind `strip`, a NeoPixel; `bright` is the percent of full light, which would be 360 mA."""

    def __init__(self, strip, bright):
        self._strip = strip
        self._bright = bright

    def show(self, frame):
        """Show the colours."""
        for i in range(len(frame)):
            self._strip[i] = tuple([part * self._bright // 100 for part in frame[i]])
        self._strip.write()


class Nothing:
    """No LEDs fitted."""

    def show(self, frame):
        """Do nothing."""
