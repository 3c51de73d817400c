"""Who is ahead and who has won (rules.md A6, H16)."""

from collections.abc import Sequence

TIE_BREAKS = ("shared", "cancel", "best_mouse")


def ranks(scores: Sequence[int]) -> list[int]:
    """Competition ranking: 1, 1, 3."""
    return [1 + sum(other > score for other in scores) for score in scores]


def winners(won: Sequence[Sequence[int]], tie_break: str) -> list[int]:
    """The seats that have won, from the animals that each has taken; with `cancel` there may be none."""
    scores = [sum(animals) for animals in won]
    if tie_break == "cancel":  # whoever is level with somebody else loses; the best of those who are alone wins
        alone = [score for score in scores if scores.count(score) == 1]
        return [scores.index(max(alone))] if alone else []
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if tie_break == "best_mouse" and len(best) > 1:
        mice = [max((animal for animal in won[seat] if animal > 0), default=0) for seat in best]
        best = [seat for seat, mouse in zip(best, mice, strict=True) if mouse == max(mice)]
    return best
