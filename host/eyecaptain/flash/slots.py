"""What slot.json says (device/main.py), and how a firmware lies in its slot. Pure."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Self

POINTER = "slot.json"
MANIFEST = "manifest.json"
SLOTS = ("a", "b")
TRIALS = 2  # boots without `confirm`, after which the board goes back
SECONDS = 60  # after which a boot without `confirm` ends

Files = dict[str, str]  # SHA-256 in hex, by name


def folder(slot: str) -> str:
    """Where a slot is on the board."""
    return f"/slot_{slot}"


@dataclass(frozen=True, slots=True)
class Pointer:
    """Which firmware a board starts.

    :ivar slot: None: the one that lies in the root.
    :ivar build: "" when it is not known.
    :ivar trial: boots that are left without `confirm`; None: it is confirmed.
    :ivar back: the slot to go back to, and `was` its build.
    :ivar returns: whether there is something to go back to.
    :ivar failed: a build from which the board went back, and `why`.
    """

    slot: str | None = None
    build: str = ""
    trial: int | None = None
    back: str | None = None
    was: str = ""
    returns: bool = False
    failed: str = ""
    why: str = ""

    @classmethod
    def parse(cls, raw: Any) -> Self:
        """Read what slot.json holds; whatever is no such thing counts as nothing, as it does for main.py."""
        if not isinstance(raw, dict):
            return cls()
        trial = raw.get("trial")
        return cls(
            slot=_slot(raw.get("slot")),
            build=str(raw.get("build") or ""),
            trial=trial if isinstance(trial, int) else None,
            back=_slot(raw.get("back")),
            was=str(raw.get("was") or ""),
            returns="back" in raw,
            failed=str(raw.get("failed") or ""),
            why=str(raw.get("why") or ""),
        )

    @property
    def settled(self) -> "Pointer":
        """What counts for sure: the firmware before one that is not confirmed."""
        if self.trial is None or not self.returns:
            return self
        return Pointer(self.back, self.was, failed=self.build, why=self.why or "it was not confirmed")

    @property
    def idle(self) -> str:
        """The slot that may be overwritten."""
        return SLOTS[1] if self.settled.slot == SLOTS[0] else SLOTS[0]

    def text(self, seconds: int = SECONDS) -> str:
        """What to write into slot.json."""
        raw: dict[str, Any] = {"slot": self.slot, "build": self.build}
        if self.returns:
            raw |= {"back": self.back, "was": self.was}
        if self.failed:
            raw |= {"failed": self.failed, "why": self.why}
        if self.trial is not None:
            raw |= {"trial": self.trial, "seconds": seconds}
        return json.dumps(raw)

    def then(self, slot: str, build: str, *, returns: bool) -> "Pointer":
        """Another firmware after this one; on trial if there is one to go back to."""
        if not returns:
            return Pointer(slot, build)
        before = self.settled
        return Pointer(slot, build, TRIALS, before.slot, before.build, returns=True)


def _slot(value: Any) -> str | None:
    return value if value in SLOTS else None


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def manifest(files: dict[str, bytes], build: str, version: str) -> bytes:
    """What lies in the slot, by which the board checks it."""
    told = {"fw": version, "build": build, "files": {name: digest(files[name]) for name in sorted(files)}}
    return json.dumps(told, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class Plan:
    """How a slot is filled.

    :ivar keep: lie there already.
    :ivar copy: are on the board elsewhere; from where.
    :ivar send: have to go over the wire.
    :ivar remove: lie there and do not belong there.
    """

    keep: list[str]
    copy: dict[str, str]
    send: list[str]
    remove: list[str]


def plan(wanted: dict[str, bytes], there: Files, elsewhere: Files) -> Plan:
    """Plan to fill a slot.

    :param there: what is in it.
    :param elsewhere: what else is on the board, by full path.
    """
    by_digest = {value: path for path, value in elsewhere.items()}
    keep, copy, send = [], {}, []
    for name in sorted(wanted):
        value = digest(wanted[name])
        if there.get(name) == value:
            keep.append(name)
        elif value in by_digest:
            copy[name] = by_digest[value]
        else:
            send.append(name)
    return Plan(keep, copy, send, sorted(set(there) - set(wanted)))
