"""Why a board does not see the die, and what people can do about it."""

from eyecaptain.language import N_, _

REASONS = {
    "absent": N_("Nothing lies on the window: lay the die flat over it."),
    "saturated": N_("The light is too bright: turn the lamp away from the window."),
    "ambient": N_("The room shines in beside the die: lay it flat over the window, or turn the lamp away."),
    "ambiguous": N_("It is between two colours: lay the die flat over the window, or calibrate again."),
    "off_palette": N_("It is none of the die's colours: does the die lean on something, or does a hand lie there?"),
    "unstable": N_("The readings change: wait until the die lies still."),
    "bus": N_("The colour sensor does not answer: look at its wires."),
    "uncal": N_("The board does not know its die yet: captain calibrate teaches it."),
}
DIE_COMES = N_("A moment: the die is being read.")
OTHER = N_("It cannot be seen now.")


def reason(why: str | None) -> str:
    """A reason of the protocol in words."""
    return _(REASONS.get(why or "", OTHER))
