"""Where sessions are found, and that one process writes at a time."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from eyecaptain.errors import BrokenSession, UsageProblem
from eyecaptain.sessions import store, writer
from eyecaptain.sessions.log import FILE_NAME
from eyecaptain.sessions.writer import Writer

HEADER = {"type": "session", "format": 1, "id": "x", "game": "solo", "players": ["Ada", "Ben"]}


def make(root: Path, name: str) -> Path:
    Writer.create(root / name, HEADER).close()
    return root / name / FILE_NAME


def test_an_id_sorts_by_time_and_differs() -> None:
    now = datetime(2026, 11, 30, 18, 15, 2, tzinfo=UTC)
    assert store.new_id(now).startswith("20261130-181502-")
    assert len({store.new_id(now) for _ in range(50)}) > 45


def test_a_session_is_found_by_id_by_its_beginning_by_folder_and_by_file(tmp_path: Path) -> None:
    path = make(tmp_path, "20261130-181502-k3f9")
    make(tmp_path, "20261201-181502-aaaa")
    for name in ("20261130-181502-k3f9", "20261130", str(path), str(path.parent)):
        assert store.find(tmp_path, name) == path


def test_an_ambiguous_beginning_is_not_guessed(tmp_path: Path) -> None:
    make(tmp_path, "20261130-181502-k3f9")
    make(tmp_path, "20261130-181502-k3fa")
    with pytest.raises(UsageProblem, match="any of 2"):
        store.find(tmp_path, "2026")


@pytest.mark.parametrize("name", ["2027", "", "../nothing"])
def test_a_session_that_does_not_exist_is_said(name: str, tmp_path: Path) -> None:
    make(tmp_path, "20261130-181502-k3f9")
    with pytest.raises(BrokenSession, match="no session"):
        store.find(tmp_path, name)


def test_the_newest_comes_first_and_other_things_are_passed_over(tmp_path: Path) -> None:
    for name in ("20261130-1", "20261130-2"):
        make(tmp_path, name)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "empty").mkdir()
    assert [folder.name for folder in store.folders(tmp_path)] == ["20261130-2", "20261130-1"]
    assert list(store.folders(tmp_path / "nowhere")) == []


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    writer = Writer.create(tmp_path / "s", HEADER)
    with pytest.raises(BrokenSession, match="another process"):
        Writer.reopen(tmp_path / "s")
    with pytest.raises(BrokenSession, match="another process"):
        store.delete(tmp_path / "s")
    writer.close()
    Writer.reopen(tmp_path / "s")[0].close()


def test_deleting_leaves_nothing(tmp_path: Path) -> None:
    make(tmp_path, "s")
    store.delete(tmp_path / "s")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", ["write", "replace", "sync"])
def test_a_session_is_there_with_its_whole_header_or_not_at_all(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever interrupts its making."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    owner: object = {"write": os, "replace": Path, "sync": writer}[call]
    with monkeypatch.context() as patch:
        patch.setattr(owner, call, interrupted)
        with pytest.raises(KeyboardInterrupt):
            Writer.create(tmp_path / "s", HEADER)
    assert list(store.folders(tmp_path)) == []
