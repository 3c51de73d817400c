"""What was done to a board, in plain words."""

from eyecaptain.flash.status import Status
from eyecaptain.flash.update import Outcome


def lines(done: Outcome) -> list[str]:
    """An outcome, for people."""
    match done.what:
        case "current":
            return [f"The board at {done.port} runs this firmware ({done.build}) already: nothing to do."]
        case "confirmed":
            said = [f"The new firmware ({done.build}) on the board at {done.port} answers: it stays."]
        case "planned":
            said = _planned(done)
        case "flashed":
            said = [
                f"The board at {done.port} runs the new firmware ({done.build}); {done.seconds:.1f} s.",
                (
                    f"{done.send} files sent ({done.sent / 1000:.1f} kB), {done.keep + done.copy} were on the board already; "
                    "all of them were checked there."
                ),
            ]
        case "rolled back":
            said = [f"The board at {done.port} runs the firmware from before ({done.build or 'of unknown build'}) again."]
        case _:
            said = [f"The firmware is off the board at {done.port}."]
            said += [f"The {name} from before is back." for name in done.kept]
    if done.what == "flashed":
        said += [f"Put aside, for --remove: {name}." for name in done.kept]
    if done.others and done.what != "rolled back":
        said.append(f"Files of somebody else, which stay: {', '.join(done.others)}.")
    failed = [name for name, part in done.parts.items() if not part.get("ok")]
    if failed:
        said.append(f"The board's self-test fails: {', '.join(failed)}. `captain doctor` says more.")
    return said


def status_lines(found: Status) -> list[str]:
    """What runs on a board, for people."""
    ours = f"This program has firmware {found.ours} ({found.our_build})."
    if not found.build:
        return [f"No firmware of ours answers at {found.port}.", ours, "`captain flash` puts it there."]
    said = [f"The board at {found.port} runs firmware {found.fw} ({found.build}), slot {found.slot or 'none'}."]
    if found.trial is not None:
        said.append("It is on trial: `captain flash` lets it stay, or the board goes back by itself.")
    if found.was:
        said.append(f"Before it ran {found.was}: `captain rollback` brings that back.")
    if found.failed:
        said.append(f"The board went back to it by itself from {found.failed}: {found.why}.")
    return [*said, ours, "Nothing to do." if found.current else "`captain flash` brings the board up to date."]


def _planned(done: Outcome) -> list[str]:
    if done.slot and not done.send + done.keep + done.copy:
        return [f"The board at {done.port} would go back to {done.build}. Nothing was changed."]
    if not done.slot:
        return [
            f"The firmware would be taken off the board at {done.port}. Nothing was changed.",
            *(f"The {name} from before would be put back." for name in done.kept),
        ]
    return [
        f"The board at {done.port} would get the firmware {done.build} in slot {done.slot}. Nothing was changed.",
        (
            f"{done.send} files to send ({done.sent / 1000:.1f} kB), {done.copy} to copy on the board, {done.keep} are there, "
            f"{done.remove} to remove."
        ),
        *(f"To be put aside: {name}." for name in done.kept),
    ]
