"""The guide keeps to what is: its holes, links, commands, parts and numbers exist; each step has its parts and a picture."""

import csv
import re
from collections import Counter

import click
import pytest

from eyecaptain.cli import cli
from tools import boardplan, guide, legend, make, perfboard, shapes
from tools.wiring import HERE, MADE, Wiring

TEXT = (HERE / "README.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
STEPS = {title: text for title, text in SECTIONS.items() if title.startswith("Step ")}


def table(text: str, head: str) -> list[list[str]]:
    """The rows of the table that begins so."""
    rows = text.partition(f"| {head} |")[2].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_every_step_says_what_it_needs_and_shows_a_picture() -> None:
    assert [int(title.split()[1].rstrip(":")) for title in STEPS] == list(make.STEPS)
    for title, text in STEPS.items():
        assert "You need" in text, title
        assert re.search(r"!\[.+\]\(made/.+\)", text), title


def test_the_picture_of_where_to_measure_has_a_ring_for_every_hole_that_is_measured_with_power_on(wiring: Wiring) -> None:
    board = perfboard.plan(wiring)
    ringed = {perfboard.label(board.holes[end]) for end in boardplan.PROBES}
    wired = {perfboard.label(hole) for end, hole in board.holes.items() if wiring.net_of(*end)}
    named: set[str] = set()
    for title, text in STEPS.items():
        if "probes.svg" in text:
            rows = [row for head in ("you should see", "check") for row in table(text, head)]
            assert rows, title
            named |= set(re.findall(r"\b[A-X]\d{1,2}\b", str(rows))) & wired
    assert named | {"D4"} == ringed  # D4 is where the black probe stays
    picture = (MADE / "probes.svg").read_text(encoding="utf-8")
    assert picture.count('fill="none" stroke="#d22"') == len(ringed)
    assert all(f">{hole}</text>" in picture for hole in ringed)


def test_the_bring_up_table_says_what_to_expect_and_what_to_do_otherwise() -> None:
    rows = table(STEPS["Step 10: bring-up"], "check")
    for row in rows:
        assert len(row) == 4, row
        assert row[1], row
        assert len(row[3]) > 3, row
    checks = " ".join(row[0] for row in rows)
    for each in (
        *("VBUS", "3V3", "current from USB", "I2C devices", "sensor's id", "dark", "white paper", "nFAULT"),
        *("motor free", "motor blocked", "eye switch", "`captain doctor"),
    ):
        assert each in checks, each


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("Safety", ("adult", "magnets", "Small parts", "mA", "claimed", "EN 71-1", "limits the current")),
        ("Revisions", ("| A |",)),
        ("Licence", ("CERN-OHL-P-2.0",)),
        ("Step 3: first power-on, without the Pico", ("5.0 V and 100 mA", "No bench supply?")),
        ("Before you begin: measure your game", ("side of the deck", "edge of the die")),
    ],
)
def test_what_a_builder_has_to_be_told_is_told(section: str, words: tuple[str, ...]) -> None:
    for word in words:
        assert word in SECTIONS[section], word


def test_every_kind_of_part_says_why_it_is_there_what_else_does_and_what_happens_without_it(wiring: Wiring) -> None:
    for part in wiring.parts.values():
        for said in (part.kind.why, part.kind.substitutes, part.kind.without):
            assert len(said) > 3, part.ref
        assert part.kind.why in TEXT or part.to, part.ref
        assert part.kind.without in TEXT, part.ref


def test_the_plan_of_the_board_is_to_scale() -> None:
    """Printed at 100 %, holes are 2.54 mm apart: one unit of the picture is a millimetre."""
    for name in ("perfboard.svg", "probes.svg"):
        text = (MADE / name).read_text(encoding="utf-8")
        size = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
        assert size
        assert size.groups()[:2] == size.groups()[2:]
        columns = sorted({float(x) for x in re.findall(r'<circle cx="([\d.]+)" cy="[\d.]+" r="0.35"', text)})
        assert len(columns) >= 30
        assert columns[1] - columns[0] == pytest.approx(perfboard.PITCH, abs=0.011)


def test_every_link_leads_to_something() -> None:
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        else:
            assert (HERE / target).exists(), target


def test_everything_that_is_made_is_shown_or_named() -> None:
    named = set(re.findall(r"made/([\w./-]+)", TEXT))
    for path in MADE.rglob("*"):
        name = str(path.relative_to(MADE))
        if path.is_file() and path.suffix not in {".json", ".yml"}:
            assert name in named, name


def test_a_hole_that_the_guide_names_is_what_it_says(wiring: Wiring) -> None:
    board = perfboard.plan(wiring)
    holes = {perfboard.label(hole): end for end, hole in board.holes.items()}
    named = re.findall(r"\b([A-X]\d{1,2}) \(([\w3]+)\)", TEXT)
    assert len(named) > 10
    for hole, what in named:
        part, pin = holes[hole]
        net = wiring.net_of(part, pin)
        assert what in {pin, net.name if net else ""}, (hole, what, part, pin)


@pytest.mark.parametrize(
    ("hole", "end"),
    [("T22", "C2.+"), ("C24", "U3.VM"), ("J24", "U3.AIN1"), ("I24", "U3.AIN2"), ("D4", "U1.GND38"), ("D2", "U1.VBUS")],
)
def test_holes_named_without_their_pin_are_right_too(wiring: Wiring, hole: str, end: str) -> None:
    assert hole in TEXT
    part, pin = end.split(".")
    assert perfboard.label(perfboard.plan(wiring).holes[(part, pin)]) == hole


def test_the_bill_of_materials_has_every_part_once_and_each_in_one_step(wiring: Wiring) -> None:
    with (MADE / "bom.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    refs = Counter(ref for row in rows for ref in row["refs"].split())
    assert refs == Counter(wiring.parts.keys())
    assert all(int(row["quantity"]) == len(row["refs"].split()) for row in rows if row["refs"])
    for row in rows:
        step = next(text for title, text in STEPS.items() if title.startswith(f"Step {row['step']}:"))
        assert f"{row['quantity']} × {row['name']}" in step, row["name"]
    assert all(row["substitutes"] for row in rows if row["source"] != "this folder")


def test_every_printed_part_is_listed_with_its_measures() -> None:
    for shape in shapes.load():
        assert re.search(rf"\| \[{shape.name}\]\(made/stl/{shape.name}\.stl\) \| .+ cm³|\| \[{shape.name}\].+ \| yes \|", TEXT)


def test_resistances_in_the_guide_are_those_of_the_wiring(wiring: Wiring) -> None:
    for ref in ("R1", "R2", "R4", "R5", "R6", "R8"):
        assert wiring.parts[ref].value in TEXT
    assert re.search(r"8\.2 kΩ each .*\| R6, R5, R4", TEXT)
    assert re.search(r"4\.7 kΩ each .* \| R1, R2", TEXT)
    assert re.search(r"10 kΩ \| R8", TEXT)


def test_commands_in_the_guide_exist() -> None:
    for name in re.findall(r"`make (\w+)`", TEXT):
        assert re.search(rf"^{name}:", (HERE.parent / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), name
    for words in re.findall(r"`(?:sudo )?captain ([^`]+)`", TEXT):
        name, *options = words.split()
        command = cli.get_command(click.Context(cli), name)
        assert command is not None, name
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in options if word.startswith("--")} <= known, words
    for script in re.findall(r"`mpremote run (hardware/\w+\.py)`", TEXT):
        assert (HERE.parent / script).exists(), script


def test_blocks_and_numbers_are_filled_in() -> None:
    text = (
        "x\n<!-- made: a -->\nold\n<!-- end -->\nabout 12.5 <!-- =n.one:1 --> mA, 1 <!-- =n.two --> and 3<!-- =n.two --> end\n"
    )
    filled = guide.fill(text, {"a": "new"}, {"n.one": 7.04, "n.two": 1234.4})
    assert filled == (
        "x\n<!-- made: a -->\nnew\n<!-- end -->\n"
        "about 7.0 <!-- =n.one:1 --> mA, 1,234 <!-- =n.two --> and 1,234<!-- =n.two --> end\n"
    )
    assert guide.fill(filled, {"a": "new"}, {"n.one": 7.04, "n.two": 1234.4}) == filled


def test_a_guide_that_names_what_nobody_makes_is_refused() -> None:
    with pytest.raises(ValueError, match="which nobody makes"):
        guide.fill("1 <!-- =no.such -->", {}, {})
    with pytest.raises(ValueError, match="which nobody makes"):
        guide.fill("<!-- made: no -->\n<!-- end -->", {}, {})
    with pytest.raises(ValueError, match="no place for bom"):
        guide.fill("text", {"bom": "x"}, {})


def test_the_label_says_what_the_readme_says() -> None:
    table = legend.rows()
    assert len(table) > 5
    words = " ".join(re.findall(r">([^<]+)</text>", legend.render(table))).replace("&#x27;", "'")
    for lights, meaning in table:
        assert set(lights.split()) | set(meaning.split()) <= set(words.split()), lights


def test_a_readme_without_the_table_is_refused() -> None:
    path = HERE.parent / "CHANGELOG.md"
    with pytest.raises(ValueError, match="has no table"):
        legend.rows(path)


def test_the_licence_and_what_is_not_claimed_are_said() -> None:
    assert (HERE / "LICENSE").read_text(encoding="utf-8").startswith("CERN Open Hardware Licence Version 2 - Permissive\n")
    assert "CERN-OHL-P-2.0" in TEXT
    assert "Nobody has built it yet" in TEXT
