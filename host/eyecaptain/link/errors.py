"""What can go wrong once a board has answered."""

from eyecaptain.errors import CaptainError, LinkLost, NoBoard
from eyecaptain.language import N_, _

CODES = {
    "bad_op": N_("it does not know this request"),
    "bad_arg": N_("something in the request is wrong"),
    "busy": N_("it is busy with another request"),
    "not_armed": N_("the motor may not run yet"),
    "lease": N_("it has not heard from this program for too long"),
    "switch": N_("the eye is switched off"),
    "sensor": N_("its colour sensor does not answer"),
    "version": N_("it speaks another version of the protocol"),
    "fault": N_("something in it is broken"),
    "uncal": N_("its colour sensor has not been calibrated"),
}


class LinkError(LinkLost):
    """A request had no reply, although it was sent as often as the protocol allows."""


class Rebooted(LinkLost):
    """The board started anew while a request was waiting, so nobody knows whether it was carried out."""


class BoardRefused(CaptainError):
    """The board refused a request.

    :param op: the operation it was asked for.
    :param code: one of the protocol's codes: bad_op bad_arg busy not_armed lease switch sensor version fault uncal.
    :param text: the board's own words.
    """

    def __init__(self, op: str, code: str, text: str) -> None:
        why = _(CODES[code]) if code in CODES else text or code
        said = f"{code}: {text}" if text else code  # in the board's own words
        super().__init__(_("The board refused `{op}`: {why} ({said}).").format(op=op, why=why, said=said))
        self.op = op
        self.code = code


class OtherVersion(NoBoard):
    """The board's firmware speaks another major version of the protocol."""
