"""Which slot, which files, what slot.json says."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyecaptain.flash.slots import SLOTS, TRIALS, Pointer, digest, plan

NAMES = st.sampled_from(["app.mpy", "deck.mpy", "link/rx.mpy", "core/die.mpy", "old.py"])
FILES = st.dictionaries(NAMES, st.binary(max_size=3))
SLOT = st.sampled_from([None, *SLOTS])


@given(wanted=FILES, there=FILES, active=FILES)
def test_a_plan_leaves_exactly_what_is_wanted(wanted: Any, there: Any, active: Any) -> None:
    elsewhere = {f"/slot_a/{name}": digest(data) for name, data in active.items()}
    found = plan(wanted, {name: digest(data) for name, data in there.items()}, elsewhere)
    after = dict(there)
    for name in found.remove:
        del after[name]
    for name, path in found.copy.items():
        after[name] = active[path.removeprefix("/slot_a/")]
    for name in found.send:
        after[name] = wanted[name]
    assert after == wanted
    assert sorted([*found.keep, *found.copy, *found.send]) == sorted(wanted)


@given(wanted=FILES, there=FILES, active=FILES)
def test_nothing_is_sent_that_is_on_the_board(wanted: Any, there: Any, active: Any) -> None:
    elsewhere = {f"/slot_a/{name}": digest(data) for name, data in active.items()}
    found = plan(wanted, {name: digest(data) for name, data in there.items()}, elsewhere)
    assert not {wanted[name] for name in found.send} & set(active.values())
    assert all(there.get(name) != wanted[name] for name in found.send)


@given(slot=SLOT, build=st.text("0123456789abcdef", max_size=4), fresh=st.sampled_from(SLOTS))
def test_the_idle_slot_is_never_one_that_the_board_may_start(slot: Any, build: str, fresh: str) -> None:
    now = Pointer(slot, build)
    assert now.idle != now.slot
    after = now.then(now.idle, "new", returns=True)
    assert after.trial == TRIALS
    assert after.settled.slot == slot
    assert after.idle != slot  # as long as it is on trial, what it goes back to is not touched
    confirmed = Pointer(after.slot, after.build, None, after.back, after.was, returns=True)
    assert confirmed.idle != after.slot
    assert now.then(fresh, "new", returns=False).trial is None


@given(slot=SLOT, trial=st.none() | st.integers(0, 3), back=SLOT, returns=st.booleans())
def test_what_is_written_is_read_again(slot: Any, trial: Any, back: Any, returns: bool) -> None:
    pointer = Pointer(slot, "b", trial, back if returns else None, "w" if returns else "", returns, "f", "it fell")
    assert Pointer.parse(json.loads(pointer.text())) == pointer


@pytest.mark.parametrize("raw", [None, [], 5, {}, {"slot": "c"}, {"slot": ["a"]}, {"trial": "x"}, {"back": 3}])
def test_a_damaged_pointer_names_no_slot(raw: Any) -> None:
    found = Pointer.parse(raw)
    assert found.slot is None
    assert found.trial is None
