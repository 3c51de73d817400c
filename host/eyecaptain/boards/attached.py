"""A board with our firmware at the table: under a real deck, or in a simulated world with a virtual one."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eyecaptain.boards.serial import SerialBoard
from eyecaptain.boards.simulated.deck import WorldDeck
from eyecaptain.boards.simulated.launcher import Control
from eyecaptain.errors import LinkLost
from eyecaptain.flash.versions import tell
from eyecaptain.games.base import Color
from eyecaptain.language import N_, _
from eyecaptain.link.errors import BoardRefused
from eyecaptain.link.messages import Event
from eyecaptain.link.ports import Port

Report = dict[str, Any]

STOPPED = {
    "switch": N_("The eye was switched off."),
    "stall": N_("The eye is stuck: look what blocks it."),
    "fault": N_("The board does not let the eye roll: captain -v says more, the README what its lights mean."),
}


ANEW = N_("The board started anew. The game goes on.")
COLLAPSED = N_(
    "The board started anew while the motor ran: unless somebody unplugged it, its supply collapsed. Try a shorter cable or a "
    "stronger supply. The game goes on."
)
BLIND = N_("I cannot see the die: its sensor does not answer. The game goes on; say the die's colour when you are asked.")
SEES = N_("I can see the die again.")


class AttachedBoard:
    """Eye, chips and die of a board that answers, under a real deck.

    :param inbox: gets what the board says; `hear` makes reports of it.
    :param say: is told what a person should know.
    :param show: is given every line of the board's console text, such as a traceback; None: nobody wants it.
    :param sink: is given every raw line of the link, as `SerialBoard` says.
    :raises NoBoard: no such port, taken, not permitted, another program's, or a firmware of another major version.
    :raises LinkLost: nothing answers.
    """

    live = True
    name = "serial"
    deck: WorldDeck | None = None

    def __init__(
        self,
        port: Port,
        inbox: "queue.Queue[Any]",
        say: Callable[[str], None],
        show: Callable[[str], None] | None,
        sink: Callable[[float, str, str], None] | None = None,
    ) -> None:
        self._inbox = inbox
        self._say = say
        self._show = show
        self._opened = time.monotonic()
        self._wanted = False  # the eye
        self.unseen: str | None = None
        self._blind = False  # the sensor does not answer, and people were told so
        self._board = SerialBoard(port, inbox, say=say, show=show, sink=sink)
        for line in tell(self._board.hello):
            say(line)

    @property
    def about(self) -> dict[str, Any]:
        """What the session's header keeps of it."""
        hello = self._board.hello
        return {"name": self.name, "board": hello.board, "uid": hello.uid, "fw": hello.fw, "build": hello.build}

    def clock(self) -> float:
        """Seconds since it was opened."""
        return time.monotonic() - self._opened

    def eye(self, on: bool) -> None:
        """Let the eye roll, or stop it. What keeps it from rolling is reported as its switch is."""
        self._wanted = on
        try:
            self._board.eye(on)
        except BoardRefused as refusal:
            why = refusal.code if refusal.code in STOPPED else "fault"
            self._inbox.put(Event("eye", {"mode": "off", "why": why}, time.monotonic()))
        except LinkLost:
            pass  # the event `lost` says so; when the board is back, the table asks again

    def chips(self, colors: Sequence[str], fx: str) -> None:
        """Light the chips: a colour for each, and how."""
        with contextlib.suppress(LinkLost, BoardRefused):  # sent again when the board is back
            self._board.chips(colors, fx)

    def new_turn(self) -> None:
        """A real deck has no ticks."""

    def poll(self) -> list[Report] | None:
        """Nothing has to be fetched: everything comes through the inbox."""
        return None

    def hear(self, message: Any) -> list[Report]:
        """What a message from the inbox means for the game, as actions of the log."""
        data = message.data
        match message.what:
            case "die":
                return self._die(data.get("face"), data.get("why"))
            case "state":
                face, _level, why, *_rest = data["die"]
                stopped: list[Report] = []
                if data["eye"][0] == "off" and self._wanted:  # it stopped, and the event was lost
                    ended = data["job"][1]
                    stopped = self._eye_stopped(ended if ended in STOPPED else "time")
                return self._die(face, why) + (stopped or _switched(bool(data["switch"])))
            case "switch":
                return _switched(bool(data["on"]))
            case "eye" if data.get("mode") == "off":
                return self._eye_stopped(str(data.get("why")))
            case "fault" if data.get("code") != "sensor":  # of the sensor the die tells
                self._say(_("The board reports: {what}").format(what=data.get("m") or data.get("code")))
            case "lost":
                self._say(_("The board is not there any more. The game goes on as soon as it is back."))
                return [{"type": "link", "what": "lost"}]
            case "back":
                self._say(_("The board is back. The game goes on."))
                return [{"type": "link", "what": "back"}]
            case "rebooted":
                self._say(_(COLLAPSED if data.get("motor") else ANEW))
                return [{"type": "link", "what": "rebooted"}]
            case "lease":
                self._say(_("This computer was away for a moment, so the board stopped the eye. The game goes on."))
                return [{"type": "link", "what": "lost"}, {"type": "link", "what": "back"}]
        return []

    def last_lines(self) -> list[str]:
        """The last raw lines of its link, for an error report."""
        return self._board.last_lines()

    def close(self) -> None:
        """Stop the eye and let go of the board."""
        self._board.close()
        if self._show is not None:
            self._show("link: " + ", ".join(f"{name} {count}" for name, count in self._board.counts.items()))

    def _die(self, face: Color | None, why: str | None) -> list[Report]:
        """The board's reading is the game's die; people are told when its sensor fails, and when it is back."""
        self.unseen = None if face or why == "unstable" else why  # what is about to settle needs no advice
        if (why == "bus") != self._blind:
            self._blind = not self._blind
            self._say(_(BLIND if self._blind else SEES))
        if face is None:
            return [{"type": "die", "face": None, "why": why, "by": "board"}]
        return [{"type": "die", "face": face, "by": "board"}]

    def _eye_stopped(self, why: str) -> list[Report]:
        if why == "time" and self._wanted:  # our renewal came too late
            self.eye(True)
        if why not in STOPPED:
            return []
        self._say(_(STOPPED[why]))
        return [{"type": "pause"}]


@dataclass(frozen=True, slots=True)
class World:
    """The world of a simulated board.

    :param deck: the virtual deck in it; None: people have a real one.
    :param events: a connection for its events.
    :param close: lets go of it, and stops what was started for it.
    """

    deck: WorldDeck | None
    events: Control
    close: Callable[[], None]


class SimulatedTable(AttachedBoard):
    """A simulated board, with the virtual deck in its world."""

    name = "sim"

    def __init__(
        self,
        port: Port,
        inbox: "queue.Queue[Any]",
        say: Callable[[str], None],
        show: Callable[[str], None] | None,
        world: World,
        *,
        sink: Callable[[float, str, str], None] | None = None,
    ) -> None:
        super().__init__(port, inbox, say, show, sink)
        self.deck = world.deck
        self._world = world
        self._seen: Color | None = None  # the die's face, as the board reads it
        self._face: Color | None = None  # the die's face, as the world has it
        self._open = True
        self._watcher = threading.Thread(target=self._watch, name="world", daemon=True)
        self._watcher.start()

    def new_turn(self) -> None:
        """The world's ticks are quick again."""
        if self.deck is not None:
            self.deck.new_turn()

    def hear(self, message: Any) -> list[Report]:
        """What a message from the inbox means for the game, as actions of the log.

        :raises LinkLost: the simulated board's world has ended.
        """
        match message:
            case {"ev": "gone"}:
                raise LinkLost(_("The simulated board has ended."))
            case {"ev": _} if self.deck is None:
                return []
            case {"ev": "die", "face": face}:
                self._face = face
                return self._by_world() if self._seen is None else []
            case {"ev": "fall" | "die_fell" as kind}:
                return [{"type": kind} | {key: value for key, value in message.items() if key != "ev"}]
            case {"ev": _}:
                return []
        return super().hear(message)

    def close(self) -> None:
        """Stop the eye and let go of board and world."""
        self._open = False
        try:
            super().close()
        finally:
            self._watcher.join()
            self._world.close()

    def _die(self, face: Color | None, why: str | None) -> list[Report]:
        """The board's reading is the game's die; while it sees none, the world says what lies there (design.md, two decks)."""
        self._seen = face
        reports = super()._die(face, why)
        return self._by_world() if face is None and self.deck is not None else reports

    def _by_world(self) -> list[Report]:
        return [{"type": "die", "face": self._face, "by": "world"}] if self._face is not None else []

    def _watch(self) -> None:
        """Pass the world's events on, until it ends or we leave."""
        while self._open:
            try:
                for event in self._world.events.events(timeout=0.2):
                    self._inbox.put(event)
            except (LinkLost, OSError):
                self._inbox.put({"ev": "gone"})
                return


def _switched(on: bool) -> list[Report]:
    """The eye's switch is a player's gesture: off pauses, on goes on (design.md, two decks)."""
    return [{"type": "resume" if on else "pause"}]
