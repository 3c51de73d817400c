"""The private line from the shims to the world, a socket that the bridge hands to the interpreter (MicroPython).

A message is one write: kind, number, length of the rest (two bytes, low first), the rest. Notes (a pin or PWM write) get no
answer and allocate nothing, because a hard timer callback may send them. Questions are answered by `REPLY` bytes at once: the
number, an errno, a length, the data. An interrupt may leave an answer unread; the number tells.

While a message is under way `busy` holds back timer callbacks (`machine.Timer`), which would mix theirs into it. A Ctrl-C
in the middle of a callback is kept for the main thread, as on the chip.
"""

import time

REPLY = 260
DATA = 256

busy = False
late = None  # what to call when a callback was held back; set by machine
in_callback = False
interrupted = False  # by Ctrl-C, in a callback

_line = None
_number = 0
_note = bytearray(14)
_reply = bytearray(REPLY)
_question = bytearray(b"?\0\1\0\0")


def connect(descriptor: int) -> None:
    """Use this inherited file descriptor."""
    global _line
    _line = open(descriptor, "r+b")


def note(kind: int, a: int, b: int, c: int = 0) -> None:
    """Tell the world: a has 16 bits, b and c 32."""
    global busy
    busy = True
    try:
        _note[0] = kind
        _note[2] = 10
        _note[4] = a & 255
        _note[5] = a >> 8
        at = 6
        while at < 10:
            _note[at] = b & 255
            _note[at + 4] = c & 255
            b >>= 8
            c >>= 8
            at += 1
        _write(_note)
    finally:
        _release()


def tell(kind: int, data: bytes) -> None:
    """Tell the world something of any length."""
    global busy
    message = bytes((kind, 0, len(data) & 255, len(data) >> 8)) + data
    busy = True
    try:
        _write(message)
    finally:
        _release()


def ask(kind: int, data: bytes) -> bytes:
    """Ask the world; OSError when the answer is an error."""
    global busy
    message = bytearray((kind, 0, len(data) & 255, len(data) >> 8)) + data
    busy = True
    try:
        _exchange(message)
        return bytes(_reply[4 : 4 + _reply[2] + 256 * _reply[3]])
    finally:
        _release()


def ask_level(kind: int, number: int) -> int:
    """The 16-bit answer to a question about one pin or channel; allocates nothing, so hard callbacks may ask."""
    global busy
    busy = True
    try:
        _question[0] = kind
        _question[4] = number
        _exchange(_question)
        return _reply[4] | _reply[5] << 8
    finally:
        _release()


def _exchange(message: bytearray) -> None:
    """Send a question and wait for its answer, which is in `_reply` as long as `busy` holds."""
    global _number
    _number = _number + 1 & 255
    message[1] = _number
    _write(message)
    while True:
        try:
            if not _line.readinto(_reply):
                raise SystemExit  # the world is gone, and so is the board
        except KeyboardInterrupt:
            _interrupt()
            continue
        if _reply[0] == _number:
            break
    if _reply[1]:
        raise OSError(_reply[1])


def _write(message: bytes) -> None:
    """One write. Should a Ctrl-C end it after it has written, the same again does no harm."""
    while True:
        try:
            _line.write(message)
        except KeyboardInterrupt:
            _interrupt()
        else:
            return


def _interrupt() -> None:
    """Ctrl-C came: raise it, or keep it for the main thread."""
    global interrupted
    if not in_callback:
        raise KeyboardInterrupt
    interrupted = True


def _release() -> None:
    """The message is through: callbacks may run, and those that were held back do."""
    global busy
    busy = False
    if late is not None:
        late()


def begin_callback() -> None:
    """A callback begins: Ctrl-C has to wait."""
    global in_callback
    in_callback = True
    note(84, 1, 0)  # "T"


def end_callback() -> None:
    """A callback has ended. A Ctrl-C that it met all the same comes again."""
    global in_callback, interrupted
    if interrupted:
        interrupted = False
        note(75, 0, 0)  # "K"
    note(84, 0, 0)  # "T"
    in_callback = False


def hang() -> None:
    """Wait to be ended from outside, whatever comes in between."""
    while True:
        try:
            time.sleep(1)
        except KeyboardInterrupt:
            pass  # a chip in reset hears no Ctrl-C
