"""Reports in a real browser: nothing runs, nothing is cut off on a telephone, on a wide screen or on paper."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from eyecaptain.language import LANGUAGES, speaking
from eyecaptain.postal import reporthtml
from eyecaptain.postal.paper import paper
from postal.browser import Browser, browser, installed
from postal.test_reports import game

PHONE, WIDE, A4 = 360, 1280, 680  # CSS pixels; A4 less its margins of 15 mm
USUAL = ("Ada", "Ben", "Cleo", "Dan", "Bartholomew")
ODD = ("Ada", "海鸥", "Bartholomew-Maximilian", "<script>document.title='run'</script>", "W" * 24)
# Cells with text that are not to be seen: without any size, or beside the window.
HIDDEN = """[...document.querySelectorAll('td, .card, h1, h2, p')].filter(each => {
    const box = each.getBoundingClientRect();
    return each.textContent && !(each.checkVisibility() && box.height > 8 && box.left >= 0 && box.right <= innerWidth);
}).map(each => each.textContent)"""
ROWS = (
    "[...document.querySelectorAll('tr')].map(row => [...row.cells].map(cell => cell.innerText.replace(/\\s+/g, ' ').trim()))"
)


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    if (program := installed()) is None:
        pytest.skip("no browser: apt-get install chromium")
    with browser(program) as found:
        yield found


def page(folder: Path, number: int, language: str = "en", names: tuple[str, ...] = ODD) -> Path:
    played, header = game()
    played.players = names
    file = folder / f"{number}.html"
    with speaking(language):
        file.write_text(reporthtml.as_html(paper(played, header, number, zones=["UTC"]), language), encoding="utf-8")
    return file


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "media"), [(PHONE, "screen"), (WIDE, "screen"), (A4, "print")])
def test_nothing_is_cut_off(width: int, media: str, language: str, window: Browser, tmp_path: Path) -> None:
    for number in (0, 3, 8):
        window.show(page(tmp_path, number, language), width, media=media)
        assert window.find("innerWidth") == width
        assert window.find("document.documentElement.scrollWidth") <= width
        assert window.find(HIDDEN) == []


def test_the_tables_show_what_is_in_the_data(window: Browser, tmp_path: Path) -> None:
    played, header = game()
    played.players = ODD
    data = paper(played, header, 3)
    window.show(page(tmp_path, 3), WIDE)
    rows = window.find(ROWS)
    bids = [[bid["player"], str(bid["card"])] for auction in data["auctions"] for bid in auction["bids"]]
    standings = [[f"{row['rank']}.", row["player"]] for row in data["standings"]]
    hands = [[player, " ".join(map(str, hand))] for player, hand in data["hands"].items()]
    assert [row[:2] for row in rows] == bids + standings + hands


def test_nothing_runs_and_nothing_is_fetched(window: Browser, tmp_path: Path) -> None:
    window.show(page(tmp_path, 3), WIDE)
    assert window.find("document.scripts.length") == 0
    assert window.find("document.title").startswith("Hol's der Geier")
    assert window.find("performance.getEntriesByType('resource').length") == 0
    # A script that got in all the same would not run.
    window.find("document.body.append(Object.assign(document.createElement('script'), {textContent: 'document.title = 1'}))")
    assert window.find("document.scripts.length") == 1
    assert window.find("document.title").startswith("Hol's der Geier")


def test_in_the_dark_it_is_dark_and_on_paper_never(window: Browser, tmp_path: Path) -> None:
    colors = "[getComputedStyle(document.body).color, getComputedStyle(document.querySelector('small')).color]"
    file = page(tmp_path, 3)
    for media, dark, ink in (("screen", False, 0), ("screen", True, 255), ("print", True, 0)):
        window.show(file, WIDE, media=media, dark=dark)
        assert window.find(colors) == [f"rgb({ink}, {ink}, {ink})"] * 2


@pytest.mark.parametrize("number", [0, 3, 8])
def test_a_report_of_five_players_is_one_page_of_a4(number: int, window: Browser, tmp_path: Path) -> None:
    window.show(page(tmp_path, number, names=USUAL), A4, media="print")
    pdf = window.printed()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert [(round(float(width)), round(float(height))) for width, height in boxes] == [(595, 842)]
