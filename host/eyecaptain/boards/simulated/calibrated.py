"""The calibration with which a simulated board begins: made by the walk of `captain calibrate`, on the same unit, on an earlier
evening.
"""

import contextlib
import json
from random import Random

from eyecaptain.errors import NoBoard
from eyecaptain.games.base import COLORS
from eyecaptain.language import _
from eyecaptain.sight import store
from eyecaptain.sight.readings import Pair
from eyecaptain.sight.walk import Mistake, Walk
from eyecaptain.world.rig import Rig
from eyecaptain.world.scene import unit_of
from eyecaptain.world.window import NOTHING, Evening, Unit, flat, sitting

EVENINGS = 5  # on which it is tried: one may be too bright


def document(seed: str, uid: str) -> str:
    """The calibration file of the board that this seed makes, as it stands on the board.

    :param uid: the board's own id.
    :raises NoBoard: no evening will do for this unit.
    """
    unit = unit_of(seed)
    for evening in range(EVENINGS):
        with contextlib.suppress(Mistake):  # a person would try again on another evening, too
            found = walked(unit, Random(f"{seed}/calibration/{evening}"))  # noqa: S311 - physics, not secrets
            return json.dumps(store.on_board(uid, found))
    raise NoBoard(_("This simulated unit cannot be calibrated: two colours are too much alike."), _("Take another --seed."))


def walked(unit: Unit, rng: Random) -> dict[str, list[int]]:
    """Walk through dark, white and the eight faces on one evening, as a person would.

    :raises Mistake: this unit cannot be calibrated on that evening.
    """
    rig = Rig(unit, Evening.of(rng), rng)
    walk = Walk(lambda count, cycles, gain: [Pair(*rig.pair(cycles, gain)) for _ in range(count)])
    rig.view = NOTHING
    walk.dark()
    rig.view = flat("white", sitting(rng))
    walk.white()
    for color in COLORS * 2:
        rig.view = flat(color, sitting(rng))
        walk.face(color)
    return walk.finish()
