"""What was done to a board, in plain words."""

from eyecaptain.flash.status import Status
from eyecaptain.flash.update import Outcome
from eyecaptain.language import _


def lines(done: Outcome) -> list[str]:
    """An outcome, for people."""
    match done.what:
        case "current":
            words = _("The board at {port} runs this firmware ({build}) already: nothing to do.")
            return [words.format(port=done.port, build=done.build)]
        case "confirmed":
            said = [_filled(_("The new firmware ({build}) on the board at {port} answers: it stays."), done)]
        case "planned":
            said = _planned(done)
        case "flashed":
            said = [
                _filled(_("The board at {port} runs the new firmware ({build}); {seconds:.1f} s."), done),
                _filled(
                    _("{send} files sent ({kilobytes:.1f} kB), {there} were on the board already; all were checked there."),
                    done,
                ),
            ]
        case "rolled back":
            said = [_filled(_("The board at {port} runs the firmware from before ({build}) again."), done)]
        case _other:
            said = [_filled(_("The firmware is off the board at {port}."), done)]
            said += [_("{file} from before is back.").format(file=name) for name in done.kept]
    if done.what == "flashed":
        said += [_("Put aside, for --remove: {file}.").format(file=name) for name in done.kept]
    if done.others and done.what != "rolled back":
        said.append(_("Files of somebody else, which stay: {files}.").format(files=", ".join(done.others)))
    failed = [name for name, part in done.parts.items() if not part.get("ok")]
    if failed:
        words = _("The board's self-test fails: {parts}. `captain doctor` says more.")
        said.append(words.format(parts=", ".join(failed)))
    return said


def status_lines(found: Status) -> list[str]:
    """What runs on a board, for people."""
    ours = _("This program has firmware {fw} ({build}).").format(fw=found.ours, build=found.our_build)
    if not found.build:
        return [
            _("No firmware of ours answers at {port}.").format(port=found.port),
            ours,
            _("`captain flash` puts it there."),
        ]
    words = _("The board at {port} runs firmware {fw} ({build}), slot {slot}.")
    said = [words.format(port=found.port, fw=found.fw, build=found.build, slot=found.slot or "-")]
    if found.trial is not None:
        said.append(_("It is on trial: `captain flash` lets it stay, or the board goes back by itself."))
    if found.was:
        said.append(_("Before it ran {build}: `captain rollback` brings that back.").format(build=found.was))
    if found.failed:
        said.append(_("The board went back to it from {build}: {why}").format(build=found.failed, why=found.why))
    return [*said, ours, _("Nothing to do.") if found.current else _("`captain flash` brings the board up to date.")]


def _planned(done: Outcome) -> list[str]:
    if done.slot and not done.send + done.keep + done.copy:
        return [_filled(_("The board at {port} would go back to {build}. Nothing was changed."), done)]
    if not done.slot:
        return [
            _filled(_("The firmware would be taken off the board at {port}. Nothing was changed."), done),
            *(_("{file} from before would be put back.").format(file=name) for name in done.kept),
        ]
    return [
        _filled(_("The board at {port} would get the firmware {build} in slot {slot}. Nothing was changed."), done),
        _filled(
            _("{send} files to send ({kilobytes:.1f} kB), {copy} to copy on the board, {keep} are there, {remove} to remove."),
            done,
        ),
        *(_("To be put aside: {file}.").format(file=name) for name in done.kept),
    ]


def _filled(text: str, done: Outcome) -> str:
    """A sentence with an outcome's figures in it."""
    return text.format(
        port=done.port, build=done.build or "-", slot=done.slot, seconds=done.seconds, send=done.send, copy=done.copy,
        keep=done.keep, there=done.keep + done.copy, remove=done.remove, kilobytes=done.sent / 1000,
    )  # fmt: skip
