"""Who holds a port, as far as this system tells."""

import os
from pathlib import Path

from eyecaptain.language import _

PROC = Path("/proc")


def holders(port: str) -> list[str]:
    """Name the programs that hold `port`, such as "minicom (712)"; empty when it cannot be known.

    Who has locked the port comes first; without a lock it is whoever has it open. Only Linux tells, and it shows a
    person no other user's open files.
    """
    if not PROC.is_dir():
        return []
    try:
        pids = _locked_by(port) or _opened_by(port)
    except OSError:
        return []
    return [f"{_name(pid)} ({pid})" for pid in pids]


def _locked_by(port: str) -> list[int]:
    """The processes that hold an flock on the port."""
    found = Path(port).stat()
    wanted = (os.major(found.st_dev), os.minor(found.st_dev), found.st_ino)
    pids = set()
    for line in (PROC / "locks").read_text().splitlines():
        fields = line.split()  # 1: FLOCK ADVISORY WRITE 712 00:18:5 0 EOF
        if len(fields) < 6 or fields[1] != "FLOCK":
            continue
        major, minor, inode = fields[5].split(":")
        if (int(major, 16), int(minor, 16), int(inode)) == wanted and int(fields[4]) > 0:
            pids.add(int(fields[4]))
    return sorted(pids)


def _opened_by(port: str) -> list[int]:
    """The processes, other than this one, that have the port open."""
    wanted = Path(port).resolve()
    pids = set()
    for link in PROC.glob("[0-9]*/fd/*"):
        try:
            if link.readlink() == wanted:
                pids.add(int(link.parts[-3]))
        except OSError:  # closed meanwhile, or not ours to see
            continue
    return sorted(pids - {os.getpid()})


def _name(pid: int) -> str:
    try:
        return (PROC / str(pid) / "comm").read_text().strip() or _("a program")
    except OSError:
        return _("a program")
