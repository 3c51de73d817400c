"""The line between console and host, and what becomes of what goes by: all of it arrives unless a fault strikes.

Each line that goes by, either way, is an occasion for a fault. What has no `#` in it and no end yet (a prompt, Ctrl-C) is
passed on at once, because nothing says that an end will come.
"""

from collections import deque
from collections.abc import Callable

from eyecaptain.boards.simulated.faults import Faults

DELAY = (0.02, 0.4)  # seconds that a delayed line, and all behind it, comes late
STALL = 2.0  # seconds that nothing goes either way
CTRL_C = 3


class Channel:
    """One direction.

    :param way: its name, `in` or `out`.
    :param deliver: is handed what arrives, and when.
    :param happen: is told of a fault that strikes more than this line: `stall unplug kill reboot`.
    """

    def __init__(
        self, way: str, faults: Faults, deliver: Callable[[float, bytes], None], happen: Callable[[float, str], None]
    ) -> None:
        self._way = way
        self._faults = faults
        self._deliver = deliver
        self._happen = happen
        self._open = b""  # a frame whose end has not come
        self._late: deque[tuple[float, bytes]] = deque()
        self.still_until = 0.0

    def take(self, now: float, data: bytes) -> None:
        """Bytes go by."""
        *lines, rest = (self._open + data).split(b"\n") if self._open or self._faults.any("line") else (data,)
        self._open = b""
        for line in lines:
            self._pass(now, self._fate(now, line + b"\n"))
        if b"#" in rest and self._faults.any("line"):
            self._open = rest
        else:
            self._pass(now, rest)

    def due(self) -> float | None:
        """When `wake` has something to do."""
        return max(self._late[0][0], self.still_until) if self._late else None

    def wake(self, now: float) -> None:
        """What was held up arrives."""
        while self._late and now >= max(self._late[0][0], self.still_until):
            self._deliver(now, self._late.popleft()[1])

    def clear(self) -> None:
        """The port has gone, and with it what was under way."""
        self._open = b""
        self._late.clear()
        self.still_until = 0.0

    def _pass(self, now: float, data: bytes) -> None:
        if self._late or now < self.still_until:
            self._late.append((now, data))
        elif data:
            self._deliver(now, data)

    def _fate(self, now: float, line: bytes) -> bytes:
        """What arrives of a line; an empty one only ends what was half read, and a fault there would be none."""
        fault = self._faults.strike("line", self._way) if len(line) > 1 else None
        chance = self._faults.chance("line", self._way)
        at = chance.randrange(len(line) - 1) if fault else 0
        match fault:
            case None:
                return line
            case "duplicate":
                return line * 2
            case "corrupt":
                # Never to Ctrl-C: that is not noise but somebody's word.
                other = line[at] ^ chance.randrange(1, 128)
                return line[:at] + bytes([other if other != CTRL_C else line[at] ^ 0x7F]) + line[at + 1 :]
            case "truncate":
                return line[:at]
            case "merge":
                return line[:-1]
            case "delay":
                self._late.append((now + chance.uniform(*DELAY), line))
                return b""
            case "drop":
                return b""
        self._happen(now, fault)
        return b""


class BadLine:
    """Both directions.

    :param to_board: types at the board's console.
    :param to_host: says something to whoever has the port open.
    :param happen: as of `Channel`, for `unplug kill reboot`.
    """

    def __init__(
        self,
        faults: Faults,
        to_board: Callable[[float, bytes], None],
        to_host: Callable[[float, bytes], None],
        happen: Callable[[float, str], None],
    ) -> None:
        self._elsewhere = happen
        self.inward = Channel("in", faults, to_board, self._happen)
        self.outward = Channel("out", faults, to_host, self._happen)

    def stall(self, now: float, seconds: float = STALL) -> None:
        """Nothing goes either way for so long; then all of it arrives."""
        self.inward.still_until = self.outward.still_until = now + seconds

    def due(self) -> float | None:
        """When `wake` has something to do."""
        return min((due for due in (self.inward.due(), self.outward.due()) if due is not None), default=None)

    def wake(self, now: float) -> None:
        """What was held up arrives."""
        self.inward.wake(now)
        self.outward.wake(now)

    def clear(self) -> None:
        """The port has gone."""
        self.inward.clear()
        self.outward.clear()

    def _happen(self, now: float, fault: str) -> None:
        if fault == "stall":
            self.stall(now)
        else:
            self._elsewhere(now, fault)
