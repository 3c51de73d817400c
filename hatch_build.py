"""Compiles the catalogues of the languages whenever the package is built or installed."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface):  # type: ignore[type-arg, misc] # hatchling is there only while building
    """For each .po its .mo, which is what gettext reads; never kept in git."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them beside their sources, also for an editable install."""
        del version, build_data
        for source in Path(self.root, "host/eyecaptain/locales").glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as po, source.with_suffix(".mo").open("wb") as mo:
                write_mo(mo, read_po(po))
