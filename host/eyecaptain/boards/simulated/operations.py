"""What can be asked of a running world: the operations of its control socket."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from eyecaptain.boards.simulated.badline import STALL, BadLine
from eyecaptain.boards.simulated.faults import NAMES, Faults
from eyecaptain.boards.simulated.pico import AWAY, Pico
from eyecaptain.boards.simulated.record import Record
from eyecaptain.boards.simulated.wiring import Wiring
from eyecaptain.games.base import COLORS
from eyecaptain.games.draws import Draws, seed_bytes
from eyecaptain.world.deck import CENTRE, VirtualDeck
from eyecaptain.world.scene import Scene

Request = dict[str, Any]

# Names that a port may have in its board's folder.
PORT_NAME = re.compile(r"port\d{0,3}")


class Operations:
    """The operations on one world, by name."""

    def __init__(
        self, seed: str, scene: Scene, wiring: Wiring, pico: Pico, *, record: Record, faults: Faults, line: BadLine
    ) -> None:
        self._seed = seed
        self._scene = scene
        self._wiring = wiring
        self._pico = pico
        self._record = record
        self._faults = faults
        self._line = line
        self._now = 0.0
        self._by_name: dict[str, Callable[[Request], Any]] = {
            "deck": self._new_deck,
            "deal": self._deal,
            "lift": self._lift,
            "place": self._place,
            "recentre": self._recentre,
            "turn": self._turn,
            "face": self._face,
            "cover": self._cover,
            "switch": self._switch,
            "fault": self._fault,
            "record": self._record_to,
            "state": self._state,
        }

    def do(self, now: float, request: Request) -> Any:
        """Carry out one request, `{"op":name,...}`, and return the `ok` of its reply.

        :raises LookupError, ValueError, TypeError, OSError: it cannot be carried out; the error's text is the reply.
        """
        self._now = now
        operation = self._by_name.get(request["op"])
        if operation is None:
            raise ValueError(f"there is no op {request['op']!r}; there are {', '.join(self._by_name)}")
        return operation(request)

    def _new_deck(self, request: Request) -> Any:
        """`{"op":"deck","open_corners":0,"die":true}`: an empty deck over the window; `seed` (hex) instead of the world's."""
        draws = Draws(seed_bytes(request.get("seed") or self._seed), b"EEC1")
        self._scene.deck = VirtualDeck(draws, request.get("open_corners", 0), request.get("die", True))
        return {}

    def _deck(self) -> VirtualDeck:
        if self._scene.deck is None:
            self._new_deck({})
        assert self._scene.deck is not None
        return self._scene.deck

    def _deal(self, request: Request) -> Any:
        """`{"op":"deal"}` mixes; `layout` and `face` lay out what they say."""
        deck = self._deck()
        if "layout" in request:
            deck.lay(request["layout"], range(len(request["layout"])), request.get("face"))
        else:
            deck.deal()
        self._scene.settle()
        self._scene.new_turn()
        return {"layout": deck.layout, "face": deck.face, "places": deck.places()}

    def _lift(self, request: Request) -> Any:
        """`{"op":"lift","dropping":3}`: the colour under it."""
        return {"color": self._deck().look(request["dropping"])}

    def _place(self, request: Request) -> Any:
        """`{"op":"place","dropping":3}` puts one back; `layout`, `on_deck`, `face` make the deck agree with a game."""
        deck = self._deck()
        if "dropping" in request:
            deck.put_back(request["dropping"])
        else:
            deck.lay(request["layout"], request["on_deck"], request.get("face"))
            self._scene.settle()
        return {"places": deck.places()}

    def _recentre(self, request: Request) -> Any:
        """`{"op":"recentre","reason":"stuck"}`; `force` does it whether or not it may be done, `ask` only tells."""
        deck = self._deck()
        may = bool(request.get("force")) or deck.may_recentre(request["reason"])
        if request.get("ask"):
            return {"may": may}
        if not may:
            raise ValueError(f"the die does not lie so that it may be put back as {request['reason']}")
        deck.recentre()
        self._scene.settle()
        return {"places": deck.places()}

    def _face(self, request: Request) -> Any:
        """`{"op":"face","color":"red"}` turns the die and puts it over the window; `zone` puts it elsewhere."""
        color = request["color"]
        if color not in COLORS:
            raise ValueError(f"{color!r} is no colour of the die; there are {', '.join(COLORS)}")
        self._scene.put_die(color, request.get("zone", CENTRE))
        return {}

    def _cover(self, request: Request) -> Any:
        """`{"op":"cover","what":"white"}` lies over the window; null: the die again, which leans by `tilt` degrees."""
        self._scene.cover_window(request.get("what"), float(request.get("tilt", 0.0)))
        return {}

    def _turn(self, request: Request) -> Any:
        """`{"op":"turn"}`: the eye has its quick ticks again."""
        del request
        self._scene.new_turn()
        return {}

    def _fault(self, request: Request) -> Any:
        """`{"op":"fault","what":"drop","value":0.01}`: from now on it strikes so often (`faults.OCCASIONS`).

        Without a number it happens now: `stall kill reboot`, or `unplug`, which may say for how many `seconds`, the `name` of
        the port that comes back, and that the board is `powered` from elsewhere; `sda_stuck` until so many `clocks` free it.
        `true` and `false` set `no_die motor_stall motor_short motor_hot i2c_nak`, a number `ambient`.
        """
        what, value = request["what"], request.get("value", True)
        match what, value:
            case "stall", True:
                self._line.stall(self._now, float(request.get("seconds", STALL)))
            case "unplug", True:
                self._unplug(float(request.get("seconds", AWAY)), request.get("name"), bool(request.get("powered")))
            case "kill" | "reboot", True:
                self._pico.suffer(self._now, what)
            case "sda_stuck", True if "clocks" in request:
                self._wiring.stick(int(request["clocks"]))
            case (("no_die" | "motor_stall"), bool()):
                self._scene.disturb(what, value)
            case name, int() | float() if name in NAMES:
                self._faults.set(name, float(value))
            case _:
                self._scene.disturb(what, value)
        self._record.write(fault=what, value=value)
        return {}

    def _unplug(self, seconds: float, name: str | None, powered: bool) -> None:
        if name is not None and not PORT_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name for a port; it has to be port and a number")
        self._pico.unplug(self._now, seconds, name, powered=powered)

    def _switch(self, request: Request) -> Any:
        """`{"op":"switch","on":false}`: a hand moves the eye switch."""
        self._scene.switch = bool(request["on"])
        self._record.write(switch=self._scene.switch)
        return {}

    def _record_to(self, request: Request) -> Any:
        """`{"op":"record","file":"/path"}` begins a record, null ends it."""
        if request["file"] is None:
            self._record.stop()
        else:
            self._record.start(Path(request["file"]))
        return {}

    def _state(self, request: Request) -> Any:
        """`{"op":"state"}`: everything."""
        del request
        scene = self._scene.state()
        rates = {name: rate for name, rate in self._faults.rates.items() if rate}
        return {
            "t": round(self._now, 6), "seed": self._seed, "serial": self._pico.serial, "boots": self._pico.boots,
            **self._wiring.state(), **scene, "faults": {**scene["faults"], **rates}, "met": self._faults.met,
        }  # fmt: skip
