"""The victory chips' lights: the table owns them (design.md, two decks)."""

from eyecaptain.games.twelve import TwelveGame

SEAT_COLORS = ("white", "cyan", "magenta", "orange")  # none is a colour of the die


def lights(game: TwelveGame) -> tuple[list[str], str]:
    """The colours of the chip lights, in order, and their effect: one light for each chip; at a win the winners' colours."""
    if game.over:
        winners = [SEAT_COLORS[seat] for seat in game.winners()]
        return (winners, "win") if winners else ([], "steady")
    return [SEAT_COLORS[seat] for seat in game.awards()], "steady"
