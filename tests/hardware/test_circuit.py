"""The circuit, said twice: the netlist of wiring.toml and the schematic in SKiDL agree, and SKiDL's rules find nothing."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tools import erc, harness, netlist, perfboard, sheet, wokwi
from tools.wiring import HERE, Wiring


@pytest.fixture(scope="module")
def schematic() -> erc.Checked:
    return erc.check()


def test_the_electrical_rules_of_the_schematic_are_clean(schematic: erc.Checked) -> None:
    assert (schematic.errors, schematic.warnings) == (0, 0)


def test_the_electrical_rules_are_not_clean_for_a_bad_schematic(tmp_path: Path) -> None:
    code = (HERE / "schematic.py").read_text(encoding="utf-8").replace('v33 += pico["3V3"]', "pass")
    (tmp_path / "schematic.py").write_text(code, encoding="utf-8")
    shutil.copy(HERE / "parts.toml", tmp_path)
    assert erc.check(tmp_path / "schematic.py").warnings


def test_schematic_and_wiring_are_the_same_circuit(wiring: Wiring, schematic: erc.Checked) -> None:
    assert netlist.differences(netlist.nets(wiring), schematic.nets, "the schematic") == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('pico["GP19"], bridge["FAULT"]', 'pico["GP2"], bridge["FAULT"]', "MOTOR_FAULT: U1 pin 25 is missing in the schematic"),
        ('between("resistor", "R8", "10 kΩ", net, v33)', "pass", "3V3: R8 pin 2 is missing in the schematic"),
        ('Net("SHUNT")', 'Net("SENSE2")', "net SHUNT is missing in the schematic"),
    ],
)
def test_a_schematic_that_differs_is_noticed(wiring: Wiring, tmp_path: Path, old: str, new: str, said: str) -> None:
    code = (HERE / "schematic.py").read_text(encoding="utf-8")
    assert code.count(old) == 1
    (tmp_path / "schematic.py").write_text(code.replace(old, new), encoding="utf-8")
    shutil.copy(HERE / "parts.toml", tmp_path)
    theirs = erc.check(tmp_path / "schematic.py").nets
    assert said in netlist.differences(netlist.nets(wiring), theirs, "the schematic")


def test_the_netlist_for_kicad_has_every_end_once(wiring: Wiring) -> None:
    text = netlist.render(wiring)
    assert text.count("(") == text.count(")")
    nodes = re.findall(r'\(node \(ref "(\w+)"\) \(pin "(\w+)"\)\)', text)
    ends = [(end.part, wiring.pin(end).number) for net in wiring.nets for end in net.ends]
    assert sorted(nodes) == sorted(ends)
    assert re.findall(r'\(comp \(ref "(\w+)"\)', text) == list(wiring.parts)


def test_the_sheet_shows_every_part(wiring: Wiring) -> None:
    shown = [ref for blocks in sheet.COLUMNS for refs in blocks.values() for ref in refs]
    assert sorted(shown) == sorted(wiring.parts)


def test_the_harness_leads_every_wire_of_a_cable_to_the_other_end_of_its_net(wiring: Wiring) -> None:
    data = harness.data(wiring)
    assert set(data["connectors"]) >= {part.ref for part in wiring.parts.values() if part.to}
    for start, cable, stop in data["connections"]:
        nets = []
        for ref, (number,) in (*start.items(), *stop.items()):
            name = next(p.name for p in wiring.parts[ref].kind.pins.values() if p.number == str(number))
            nets.append(wiring.net_of(ref, name))
        assert nets[0] is not None
        assert nets[0] == nets[1]
        name, (wire,) = next(iter(cable.items()))
        assert data["cables"][name]["wirelabels"][wire - 1] == nets[0].name


def test_the_wokwi_diagram_joins_only_parts_that_it_has_and_nets_that_are_one(wiring: Wiring) -> None:
    diagram = json.loads(wokwi.render(wiring))
    ids = {part["id"] for part in diagram["parts"]}
    assert {"U1", "S1", "D1", "D6", "W1_1", "W1_6", "R13"} <= ids
    assert "U3" not in ids
    for one, two, _, _ in diagram["connections"]:
        assert {one.split(":")[0], two.split(":")[0]} <= ids
    wires = {frozenset(wire[:2]) for wire in diagram["connections"]}
    assert frozenset(("U1:GP10", "R13:1")) in wires
    assert frozenset(("U1:GND.8", "D1:C")) in wires
    assert {frozenset(("U1:VBUS", f"W1_{n}:VDD")) for n in range(1, 7)} <= wires
    assert {frozenset((f"W1_{n}:DOUT", f"W1_{n + 1}:DIN")) for n in range(1, 6)} <= wires
    assert all("U2" not in end and "U3" not in end for wire in wires for end in wire)


def joined(board: perfboard.Board, fits: set[str]) -> list[set[perfboard.Hole]]:
    """The groups of holes that the wires of these variants join."""
    groups = [{hole} for hole in board.holes.values()]
    for wire in board.wires:
        if wire.fit in fits:
            one, two = (next(group for group in groups if hole in group) for hole in (wire.start, wire.stop))
            if one is not two:
                one |= two
                groups.remove(two)
    return groups


@pytest.mark.parametrize("fits", [{""}, {"", "rgb"}, {"", "plain"}, {"", "rgb", "plain", "index"}])
def test_the_wires_of_the_board_make_the_netlist_for_each_variant(wiring: Wiring, fits: set[str]) -> None:
    board = perfboard.plan(wiring)
    groups = joined(board, fits)
    for net in wiring.nets:
        holes = {
            board.holes[(end.part, end.pin)]
            for end in net.ends
            if (end.part, end.pin) in board.holes and wiring.parts[end.part].fit in fits
        }
        assert sum(bool(holes & group) for group in groups) <= 1, net.name
    for group in groups:
        ends = [end for end, hole in board.holes.items() if hole in group]
        nets = {on.name if (on := wiring.net_of(*end)) else str(end) for end in ends}
        assert len(nets) == 1, ends


def test_the_motors_ground_meets_the_others_at_one_pin_only(wiring: Wiring) -> None:
    board = perfboard.plan(wiring)
    own = {board.holes[end] for end in (("U3", "GND"), ("R9", "2"), ("C2", "-"), ("C3", "2"))}
    star = board.holes[("U1", "GND38")]
    crossing = [w for w in board.wires if w.net == "GND" and (w.start in own) != (w.stop in own)]
    assert crossing
    assert all(star in {wire.start, wire.stop} for wire in crossing)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("R1 = { at = [4, 13]", "R1 = { at = [5, 13]", "R2.1 shares hole M5 with R1.1"),
        ("R1 = { at = [4, 13]", "R1 = { at = [4, 22]", "R1.2 lies off the board"),
        ("F1 = { at = [2, 2]", "F1 = { at = [2, 5]", "U1 lies on F1"),
        ('R7 = { at = [26, 13], way = "down", span = 4 }\n', "", "R7 has no place"),
        ("R7 = { at", "M1 = { at", "M1 does not belong on the board"),
    ],
)
def test_a_plan_that_cannot_be_built_is_refused(wiring: Wiring, tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (HERE / "perfboard.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "perfboard.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(perfboard.BadPlan) as caught:
        perfboard.plan(wiring, path)
    assert said in str(caught.value)
