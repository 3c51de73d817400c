"""A game on a screen without a terminal: keys go in, what is seen comes out as text."""

import asyncio
import io
import queue
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rich.console import Console
from textual.app import App
from textual.pilot import Pilot

from eyecaptain.language import _
from eyecaptain.table.sitting import Plan, Room, Sitting, begin
from eyecaptain.views.terminal.app import TableApp
from eyecaptain.views.terminal.seat import Manner, Seat


class Inbox(queue.Queue[Any]):
    """An inbox that knows when the table has dealt with everything and waits for people."""

    puts = returned = handled = 0
    waits = False

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        self.puts += 1
        super().put(item, block, timeout)

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        self.handled, self.waits = self.returned, timeout is None
        item = super().get(block, timeout)
        self.returned += 1
        return item

    @property
    def idle(self) -> bool:
        return self.waits and self.handled == self.puts


@dataclass
class Stage:
    """A running game: the sitting, its screen, and fingers."""

    sitting: Sitting
    seat: Seat
    pilot: Pilot[None]
    inbox: "Inbox"

    @property
    def app(self) -> TableApp:
        return self.seat.app

    @property
    def game(self) -> Any:
        return self.sitting.table.game

    async def until(self, true: Callable[[], object], what: str = "") -> None:
        """Wait until something is so."""
        end = time.monotonic() + 20
        while not true():
            assert time.monotonic() < end, f"never came: {what}\n{screen(self.app)}"
            await self.pilot.pause(0.005)
        await self.pilot.pause()

    async def keys(self, *keys: str) -> None:
        """Press keys, each when the table has dealt with the one before."""
        for key in keys:
            self.app.key(key)
            await self.dealt_with()
        await self.settled()

    async def press(self, *keys: str) -> None:
        """As `keys`, but as the terminal gives them; slower."""
        for key in keys:
            await self.pilot.press(key)
            await self.settled()

    async def settled(self) -> None:
        """Until the table waits for people, and the screen shows it."""
        await self.dealt_with()
        await self.pilot.pause()

    async def dealt_with(self) -> None:
        """Until the table waits for people, and the screen has been told."""
        end = time.monotonic() + 20
        await asyncio.sleep(0.001)
        while not (self.app.ended or (self.inbox.idle and not self.app.message_queue_size)):
            assert time.monotonic() < end, f"the table never waits\n{screen(self.app)}"
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.001)

    def sees(self, words: str) -> bool:
        """Whether these words are on the screen: in whole lines, or right of the field, where they may be folded."""
        rows = screen(self.app).splitlines()
        left = self.app.query_one("#field").region.right
        return any(words in " ".join(" ".join(part).split()) for part in (rows, [row[left:] for row in rows]))


def screen(app: App[Any]) -> str:
    """What is on the screen, as lines of text."""
    width, height = app.size
    console = Console(width=width, height=height, file=io.StringIO(), force_terminal=True, record=True, legacy_windows=False)
    console.print(app.screen._compositor.render_update(full=True))
    return "\n".join(line.rstrip() for line in console.export_text().splitlines())


@asynccontextmanager
async def played(
    root: Path,
    game: str = "team",
    people: Iterable[str] = ("Ada", "Ben"),
    *,
    size: tuple[int, int] = (80, 24),
    manner: Mapping[str, Any] = MappingProxyType({}),
    sitting: Sitting | None = None,
    room: Room | None = None,
    **plan: Any,
) -> AsyncIterator[Stage]:
    """Play on a screen of this size, without a board; all is closed in the end."""
    room = room or Room(Inbox())
    if sitting is None:
        sitting = begin(root, Plan(game, list(people), seed="5eed", board="none", **plan), room)
    deck = {"real": _("real deck"), "virtual": _("virtual deck")}[sitting.header["deck"]]
    seat = Seat(sitting, room.inbox, f"{deck} · {_('no board')}", Manner(0.0, 0.0, **{"one_call": 0.0, **manner}))
    try:
        with sitting:
            async with seat.app.run_test(size=size) as pilot:
                stage = Stage(sitting, seat, pilot, room.inbox)  # type: ignore[arg-type] # made right above
                await stage.until(lambda: seat.app.scene is not None, "a scene")
                await stage.settled()
                yield stage
            seat.stop()
    finally:
        if seat._failure is not None:
            raise seat._failure
