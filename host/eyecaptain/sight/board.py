"""A board's sensor and its calibration, over the link."""

import queue
import time
from collections.abc import Mapping, Sequence
from typing import Any

from eyecaptain.errors import CheckFailed
from eyecaptain.language import _
from eyecaptain.link.client import Client
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.messages import Event
from eyecaptain.sight.readings import Counts, Pair
from eyedeck.core.palette import Palette, checksum

MOST = 20  # pairs in one job
PAIR = 0.5  # seconds that a pair may take
GRACE = 3.0  # seconds for everything else of a job
TRIES = 3  # a reading that is lost on the way is taken again


class BoardSensor:
    """The sensor of a board that has answered.

    :param client: the link to it.
    :param events: what its events are delivered to.
    """

    def __init__(self, client: Client, events: "queue.Queue[Event]") -> None:
        self._client = client
        self._events = events

    @property
    def uid(self) -> str:
        """The board's own id."""
        return self._client.hello.uid

    def take(self, count: int, cycles: int, gain: int) -> list[Pair]:
        """Take so many pairs of readings (1 to 20).

        :raises CheckFailed: the sensor does not answer.
        :raises LinkLost: the link was lost.
        """
        why = ""
        for _try in range(TRIES):
            self._forget()
            try:
                job = self._client.request("sample", k=count, cycles=cycles, gain=gain)["job"]
            except BoardRefused as refusal:
                why = str(refusal)
                continue
            pairs, why = self._collect(job, count)
            if len(pairs) == count:
                return pairs
        raise CheckFailed(
            _("The colour sensor cannot be read: {why}.").format(why=why.rstrip(".")),
            _("Look at its four wires (3V3, GND, SDA to GP4, SCL to GP5); captain doctor says more."),
        )

    def judged(self, patience: float = 2.0) -> dict[str, Any]:
        """What the board takes the die for, from readings that began after this call.

        :raises LinkLost: the link was lost.
        """
        end = time.monotonic() + patience
        time.sleep(0.5)  # the readings under way, and two more that have to agree
        while (found := self._client.request("die"))["why"] == "unstable" and time.monotonic() < end:
            time.sleep(0.1)
        return found

    def load(self) -> dict[str, list[int]] | None:
        """The board's calibration; None: it has none.

        :raises CheckFailed: it changed while it was read.
        """
        listed = self._client.request("cal", do="get")
        if listed["sum"] is None:
            return None
        values: dict[str, list[int]] = {key: self._client.request("cal", do="get", key=key)["v"] for key in listed["keys"]}
        if checksum(values) != listed["sum"]:
            raise CheckFailed(_("The board's calibration does not fit its checksum."), _("Calibrate again: captain calibrate"))
        return values

    def save(self, values: Mapping[str, Sequence[int]]) -> str:
        """Have the board judge by this calibration from now on, and keep it; return its checksum.

        :raises BoardRefused: code `busy` while it is armed, `bad_arg` for one that will not do, `fault` when it cannot be kept.
        """
        for key, numbers in values.items():
            self._client.request("cal", do="set", key=key, v=list(numbers))
        total = Palette({key: list(numbers) for key, numbers in values.items()}).sum
        # Writing to flash takes a while.
        return str(self._client.request("cal", do="commit", sum=total, wait=2.0)["sum"])

    def _forget(self) -> None:
        while True:
            try:
                self._events.get_nowait()
            except queue.Empty:
                return

    def _collect(self, job: int, count: int) -> tuple[list[Pair], str]:
        """The pairs of a job, and why it failed if it did."""
        pairs: list[Pair] = []
        end = time.monotonic() + GRACE + count * PAIR
        while (left := end - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left)
            except queue.Empty:
                break
            match event:
                case Event("sample", {"on": on, "off": off}):
                    pairs.append(Pair(_counts(on), _counts(off)))
                case Event("job", {"job": number, "why": why}) if number == job:
                    return pairs, str(why or _("a reading was lost on the way"))
                case Event(what="lost"):
                    break
        return pairs, _("it takes too long")


def _counts(listed: Sequence[int]) -> Counts:
    red, green, blue, clear = listed
    return red, green, blue, clear
