"""What can go wrong once a board has answered."""

from eyecaptain.errors import CaptainError, LinkLost, NoBoard


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
        super().__init__(f"The board refused `{op}`: {text or code} ({code}).")
        self.op = op
        self.code = code


class OtherVersion(NoBoard):
    """The board's firmware speaks another major version of the protocol."""
