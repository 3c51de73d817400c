"""One thing that was looked at, and what came of it."""

from dataclasses import asdict, dataclass
from typing import Any

from eyecaptain.language import _, pgettext


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a report.

    :ivar key: what was looked at, for programs; and `name`, for people.
    :ivar value: what was found there.
    :ivar ok: whether that is good; None: nobody can tell, or it does not matter.
    :ivar limit: what would be good, when that can be said.
    :ivar help: what to do when it is not.
    """

    key: str
    name: str
    value: str
    ok: bool | None = None
    limit: str = ""
    help: str = ""

    def as_json(self) -> dict[str, Any]:
        """The fields."""
        return asdict(self)

    def lines(self) -> list[str]:
        """The same for people; the verdict is a word, never a colour alone."""
        verdict = {True: pgettext("check", "ok"), False: pgettext("check", "NOT OK"), None: ""}[self.ok]
        text = f"  {self.name}: {self.value}"
        if self.limit:
            text += " " + _("(good: {limit})").format(limit=self.limit)
        said = [f"{text}  {verdict}".rstrip()]
        if self.help and self.ok is not True:
            said.append(f"      {self.help}")
        return said
