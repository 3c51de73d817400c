"""A series of games as a table, one row a game, for spreadsheets and statistics programs."""

from collections.abc import Iterable, Iterator

from eyecaptain.simulate.run import Played, Series


def header(series: Series) -> list[str]:
    """The names of the columns."""
    by_seat = [f"{what}_{seat}" for what in ("strength", "won", "right", "wrong") for seat in range(len(series.bots))]
    return ["game", "seed", "status", "why", "lifts", "rounds", *by_seat]


def rows(series: Series, played: Iterable[Played]) -> Iterator[list[str | int]]:
    """A row for each game: strength, win (0 or 1), right and wrong calls by seat."""
    for number, seats, outcome in played:
        yield [
            number,
            series.seed_of(number),
            outcome.status,
            outcome.why or "",
            outcome.lifts,
            outcome.rounds,
            *(series.bots[bot] for bot in seats),
            *(int(seat in outcome.winners) for seat in range(len(seats))),
            *outcome.right,
            *outcome.wrong,
        ]
