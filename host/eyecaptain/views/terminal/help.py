"""The page of help: what can be done in this game, on this deck."""

from rich.style import Style
from rich.text import Text

from eyecaptain.language import N_, _
from eyecaptain.views.terminal.cells import folded
from eyecaptain.views.terminal.panels import lines
from eyecaptain.views.terminal.scene import Scene

GAMES = {
    "team": N_(
        "Together you collect droppings before they roll into the galley. Lift one of the colour that the die shows: it "
        "goes to the team. You win with at least as many as the galley has. If the die falls, the game is lost."
    ),
    "solo": N_(
        "Say a colour, lift a dropping. If it has that colour, it is yours; if not, it goes back, and the next player "
        "must leave it alone. Most droppings win."
    ),
    "captain": N_(
        "Lift one in secret. If it matches the die, show it and keep it. If not, put it back and tell nobody. Who "
        "thinks that all three of a colour are gone calls, at any time: right earns a chip, wrong gives one to others. "
        "Two chips win."
    ),
}
DECKS = {
    "virtual": N_("Type a dropping's number, or use arrows and Enter, or click it. w: the eye rolls on."),
    "real": N_("The deck is in front of you: tell with one key what you found. What the board cannot see it asks for."),
}
MENDS = N_("i, a and s mend what was missed before the last report, or was wrong.")
EARLIER = N_("h is a match from before the die turned.")
LOOKS = N_("A secret look stays three seconds; any key covers it. Before others it waits for v.")
EVERYWHERE = (
    N_("u takes back the last action, then the one before it; afterwards bots wait for Enter."),
    N_("t says who really has the tongs. p stops the eye, and lets it go on."),
    N_("q leaves; captain play --resume goes on at the very action. Ctrl-C does the same."),
    N_("Ctrl-T changes between dark and light."),
    N_("Any key closes this page."),
)


def help_text(scene: Scene, width: int, height: int) -> Text:
    """The page, as far as it fits."""
    said = [_(part) for part in (GAMES.get(scene.kind.name), DECKS[scene.deck_kind]) if part]
    if scene.kind.name == "captain" and scene.deck_kind == "virtual":
        said.append(_(LOOKS))
    if scene.deck_kind == "real":
        said.append(f"{_(MENDS)} {_(EARLIER)}" if scene.kind.has_die else _(MENDS))
    rows: list[Text] = []
    for number, part in enumerate((*said, *map(_, EVERYWHERE))):
        style = Style(bold=number == 0)
        rows += [Text(f" {row}", style) for row in folded(part, width - 2)]
    return lines(rows[:height])
