"""Other classifiers on the same rows: nearest centroid, and scikit-learn's quadratic discriminant analysis."""

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np

from eyecaptain.games.base import COLORS
from eyecaptain.sight.recording import Row


class Answers(NamedTuple):
    """A colour (0 to 3) for each row, and how sure it is: the larger the surer."""

    color: Any
    sure: Any


def features(rows: Sequence[Row]) -> Any:
    """Shares of red and green, and ln of all: what ours looks at, too."""
    counts = np.array([row.pair.lit[:3] for row in rows], float) + 1e-9
    total = counts.sum(axis=1)
    return np.stack([counts[:, 0] / total, counts[:, 1] / total, np.log(total)], axis=1)


def truth(rows: Sequence[Row]) -> Any:
    """The colour's number; -1 for what is none of the die's."""
    return np.array([COLORS.index(row.label) if row.label in COLORS else -1 for row in rows])


def centroid(learn: Sequence[Row], held: Sequence[Row]) -> Answers:
    """The nearest mean, each feature by its own spread; the nearer the surer."""
    known, labels, found = features(learn), truth(learn), features(held)
    spread = known[labels >= 0].std(axis=0)
    middles = np.array([known[labels == color].mean(axis=0) for color in range(len(COLORS))])
    far = np.linalg.norm((found[:, None] - middles[None]) / spread, axis=2)
    return Answers(far.argmin(axis=1), -far.min(axis=1))


def qda(learn: Sequence[Row], held: Sequence[Row]) -> Answers:
    """Quadratic discriminant analysis as scikit-learn has it; as sure as its largest probability."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    known, labels = features(learn), truth(learn)
    model = make_pipeline(StandardScaler(), QuadraticDiscriminantAnalysis()).fit(known[labels >= 0], labels[labels >= 0])
    logs = model.decision_function(features(held))
    # The largest probability is 1 to the last digit very often; how far ahead it is orders the answers in the same way.
    ordered = np.sort(logs, axis=1)
    return Answers(logs.argmax(axis=1), -np.log(np.exp(ordered[:, :-1] - ordered[:, -1:]).sum(axis=1) + 1e-300))


def at_unknown(answers: Answers, held: Sequence[Row], unknown: float) -> tuple[Any, dict[str, float]]:
    """Which of the die's colours are wrong when just this share of them is unknown, and what of other labels is rejected."""
    actual = truth(held)
    taken = answers.sure >= np.quantile(answers.sure[actual >= 0], unknown)
    labels = np.array([row.label for row in held])
    rejected = {label: float((~taken)[labels == label].mean()) for label in sorted(set(labels) - set(COLORS))}
    return (taken & (answers.color != actual))[actual >= 0], rejected


def chance(ours: Any, theirs: Any) -> float:
    """How often chance alone makes at least so many of ours wrong beside theirs, on the same rows: McNemar's exact test."""
    more, fewer = int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
    return float(sum(comb(more + fewer, count) for count in range(more, more + fewer + 1)) / 2 ** (more + fewer))
