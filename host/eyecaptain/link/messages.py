"""What comes from a board, in the host's own types."""

from dataclasses import dataclass, field
from typing import Any, Self

PROTO = (1, 0)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on the board or to the link.

    From the board: `die eye switch fault lease sample test job`, with the data of protocol.md. From the host itself:
    `state` (the answer to `state`: first of all, and after events were lost), `rebooted` (the board started anew;
    `reset`, and `motor`: whether the eye was on), `lost` (the link; `why`), and from a board that was looked for `back`
    (the same boot answers again). A `state` comes before `back` and `rebooted`, or within them.

    :param at: host monotonic time in seconds when it arrived.
    :param n: the board's number for it, and `t` the board's clock in milliseconds; None for the host's own.
    """

    what: str
    data: dict[str, Any]
    at: float
    n: int | None = None
    t: int | None = None


@dataclass(frozen=True, slots=True)
class Hello:
    """Who answered, as protocol.md says: `lease` is (least, now, most) in milliseconds, `proto` what both speak."""

    proto: tuple[int, int]
    fw: str
    build: str
    board: str
    uid: str
    boot: str
    reset: str
    caps: str
    lease: tuple[int, int, int]
    now: int
    raw: dict[str, Any] = field(repr=False)

    @classmethod
    def parse(cls, ok: dict[str, Any]) -> Self:
        """Read the reply to `hello`.

        :raises ValueError: something is missing or is no such thing.
        """
        try:
            major, minor = ok["proto"]
            least, now, most = ok["lease"]
            numbers = [major, minor, least, now, most, ok["now"]]
            if not all(isinstance(number, int) for number in numbers) or not 0 < least <= now <= most:
                raise ValueError("no such numbers")
            return cls(
                # A different minor: use the lower.
                proto=(major, min(minor, PROTO[1])),
                lease=(least, now, most),
                now=ok["now"],
                raw=ok,
                **{name: str(ok[name]) for name in ("fw", "build", "board", "uid", "boot", "reset", "caps")},
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"no such answer: {error}") from error
