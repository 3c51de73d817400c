"""main.py, with a chip that is none."""

import json
import os
import runpy
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

import eyedeck
from device.conftest import DEVICE

TRIAL = {"slot": "b", "build": "b111", "back": "a", "was": "a000", "trial": 2, "seconds": 60}


def test_a_confirmation_that_cannot_be_written_leaves_the_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the board would say that its firmware stays, and go back all the same."""
    told: list[Any] = []

    def run(_feeder: Any, state: dict[str, Any], confirm: Any) -> None:
        with monkeypatch.context() as full:
            full.setattr(os, "rename", MagicMock(side_effect=OSError(28, "no space")))
            with pytest.raises(OSError, match="no space"):
                confirm()
        told.append(dict(state))
        confirm()
        told.append(dict(state))

    app = ModuleType("eyedeck.app")
    app.run = run  # type: ignore[attr-defined]
    monkeypatch.setattr(eyedeck, "app", app, raising=False)
    monkeypatch.setitem(sys.modules, "eyedeck.app", app)
    monkeypatch.setitem(sys.modules, "machine", MagicMock(spec=ModuleType, Pin=MagicMock(), WDT=MagicMock(), Timer=MagicMock()))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    slot = tmp_path / "slot.json"
    slot.write_text(json.dumps(TRIAL))
    runpy.run_path(str(DEVICE / "main.py"))
    before, after = (SimpleNamespace(**state) for state in told)
    assert (before.build, before.trial) == ("b111", 1)
    assert after.build == "b111"
    assert not hasattr(after, "trial")
    assert json.loads(slot.read_text()) == {"slot": "b", "build": "b111", "back": "a", "was": "a000"}
