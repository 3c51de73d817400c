"""What to say when a board and this program do not belong together (protocol.md, versions)."""

from eyecaptain import __version__
from eyecaptain.language import _
from eyecaptain.link.messages import Hello


def tell(hello: Hello, ours: str = __version__) -> list[str]:
    """What a person should know of the board's firmware before a game; nothing when all is well.

    :param ours: the version of this program, and of the firmware that it brings.
    """
    said = []
    theirs, mine = _numbers(hello.fw), _numbers(ours)
    if theirs is not None and mine is not None and theirs != mine:
        if theirs < mine:
            words = _(
                "The board's firmware ({theirs}) is older than this program ({ours}): `captain flash` updates it; that takes "
                "about ten seconds."
            )
        else:
            words = _("The board's firmware ({theirs}) is newer than this program ({ours}): update the program.")
        said.append(words.format(theirs=hello.fw, ours=ours))
    if "trial" in hello.raw:
        said.append(
            _("The board's firmware is on trial: run `captain flash` to let it stay, or it soon goes back, even in a game.")
        )
    return said


def _numbers(version: str) -> tuple[int, ...] | None:
    """A version's numbers, or None when it is no such version."""
    parts = version.split("-", maxsplit=1)[0].split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else None
