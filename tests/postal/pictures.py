"""`make pictures`: the report of the README, as a browser shows it."""

import tempfile
from pathlib import Path

from eyecaptain.postal import reporthtml
from eyecaptain.postal.paper import paper
from postal.browser import browser, installed
from postal.test_reports import game

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "geier-report.png"


def main() -> None:
    """Show a round in the middle, and photograph it."""
    program = installed()
    if program is None:
        raise SystemExit("There is no browser. apt-get install chromium")
    played, header = game()
    played.players = ("Ada", "Ben", "Cleo", "Dan", "Eve")
    with tempfile.TemporaryDirectory() as folder, browser(program) as window:
        page = Path(folder) / "report.html"
        page.write_text(reporthtml.as_html(paper(played, header, 3), "en"), encoding="utf-8")
        window.show(page, 800)
        PICTURE.write_bytes(window.photograph())


if __name__ == "__main__":
    main()
