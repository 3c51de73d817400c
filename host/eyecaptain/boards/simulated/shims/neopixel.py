"""`neopixel` as the chip has it (MicroPython)."""

from machine import Pin, bitstream

# Where red, green, blue and white stand in what a pixel takes: green comes first.
ORDER = (1, 0, 2, 3)


class NeoPixel:
    """A row of pixels; nothing shows before `write`."""

    def __init__(self, pin: Pin, n: int, bpp: int = 3, timing: int = 1) -> None:
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(n * bpp)
        self.timing = (400, 850, 800, 450) if timing else (800, 1700, 1600, 900)
        pin.init(Pin.OUT)

    def __len__(self) -> int:
        return self.n

    def __setitem__(self, i: int, v: tuple[int, ...]) -> None:
        if not -self.n <= i < self.n:
            raise IndexError("index out of range")
        for channel in range(self.bpp):
            self.buf[(i % self.n) * self.bpp + ORDER[channel]] = v[channel]

    def __getitem__(self, i: int) -> tuple[int, ...]:
        if not -self.n <= i < self.n:
            raise IndexError("index out of range")
        return tuple([self.buf[(i % self.n) * self.bpp + ORDER[channel]] for channel in range(self.bpp)])

    def fill(self, v: tuple[int, ...]) -> None:
        """Give all the same colour."""
        for i in range(self.n):
            self[i] = v

    def write(self) -> None:
        """Send the colours to the pixels."""
        bitstream(self.pin, 0, self.timing, self.buf)
