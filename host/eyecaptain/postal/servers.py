"""The mail servers: `servers.toml` in the user's config folder. Passwords are in the environment or behind a command.

[smtp]
url = "smtps://geier@mail.example.org"      # or smtp:// (STARTTLS)
from = "geier@example.org"
password_command = "pass show mail/geier"

[imap]
url = "imaps://geier@mail.example.org/INBOX"
password_command = "pass show mail/geier"
ca_file = "/etc/ssl/our-ca.pem"             # only for a server of your own, whose certificate the system does not know
"""

import os
import shlex
import ssl
import subprocess
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from eyecaptain.errors import CaptainError, UsageProblem
from eyecaptain.language import _

PATIENCE = 60.0  # seconds that a command for a password may take: it may ask somebody


def config_file() -> Path:
    """Where the mail servers stand: below CAPTAIN_CONFIG, or the platform's user config folder."""
    if named := os.environ.get("CAPTAIN_CONFIG"):
        return Path(named) / "servers.toml"
    from platformdirs import user_config_path  # noqa: PLC0415 - help must come up fast

    return user_config_path("eye-eye-captain", appauthor=False) / "servers.toml"


def settings(kind: str) -> dict[str, Any]:
    """What the file says of ``smtp`` or ``imap``; nothing when there is none.

    :raises UsageProblem: it cannot be read.
    """
    path = config_file()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get(kind, {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageProblem(
            _("{path} cannot be read: {error}.").format(path=path, error=error), _("It is TOML with [smtp] and [imap].")
        ) from None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise UsageProblem(
            _("{path}: [{kind}] must hold texts: url, from, password_command, ca_file.").format(path=path, kind=kind)
        )
    return found


class Server:
    """A mail server by its URL: ``smtps://user@host:port``.

    :param kind: ``smtp`` or ``imap``: where its password is looked for.
    :raises UsageProblem: the URL names no server, or is of another kind.
    """

    def __init__(self, kind: str, url: str) -> None:
        self.kind = kind
        try:
            parts = urlsplit(url)
            self.port = parts.port
        except ValueError:
            raise UsageProblem(
                _("{kind}: this is no URL of a server.").format(kind=kind),
                _("Example: {kind}s://user@mail.example.org").format(kind=kind),
            ) from None
        self.secure = parts.scheme == kind + "s"
        self.host = parts.hostname or ""
        self.user = unquote(parts.username or "")
        self.folder = unquote(parts.path.strip("/"))
        if parts.scheme not in (kind, kind + "s") or not self.host:
            raise UsageProblem(
                _("This is no {kind} server.").format(kind=kind.upper()),
                _("Example: {kind}s://user@mail.example.org").format(kind=kind),
            )
        if parts.password is not None:
            raise UsageProblem(
                _("A password in a URL can be read by everybody on this computer."),
                _("Put it into CAPTAIN_{kind}_PASSWORD, or a password_command into {config_file}.").format(
                    kind=kind.upper(), config_file=config_file()
                ),
            )

    @property
    def local(self) -> bool:
        """Whether it is on this computer, so that nobody else can listen."""
        return self.host in ("localhost", "127.0.0.1", "::1")

    def context(self) -> ssl.SSLContext:
        """How TLS is spoken: the certificate is always checked, by what the system trusts, or by `ca_file` alone.

        :raises UsageProblem: that file is none.
        """
        ca_file = settings(self.kind).get("ca_file")
        try:
            return ssl.create_default_context(cafile=ca_file)
        except OSError as error:  # ssl.SSLError, too: there is no certificate in it
            raise UsageProblem(
                _("{path}: there is no certificate in it ({error}).").format(path=ca_file, error=error.strerror or error),
                _("Correct ca_file of [{kind}] in {config_file}.").format(kind=self.kind, config_file=config_file()),
            ) from None

    def untrusted(self, error: ssl.SSLCertVerificationError) -> CaptainError:
        """What to say when its certificate is not good; it was told nothing."""
        return CaptainError(
            _("The certificate of {host} cannot be trusted: {why}.").format(
                host=self.host, why=error.verify_message.rstrip(".")
            ),
            _(
                "Ask whoever runs it; for your own server put the file of its authority as ca_file into [{kind}] of {path}."
            ).format(kind=self.kind, path=config_file()),
        )

    def password(self) -> str:
        """Its password.

        :raises UsageProblem: nobody says where it is.
        :raises CaptainError: the command for it failed.
        """
        name = f"CAPTAIN_{self.kind.upper()}_PASSWORD"
        if (found := os.environ.get(name)) is not None:
            return found
        command = settings(self.kind).get("password_command")
        if not command:
            raise UsageProblem(
                _("There is no password for {user} on {host}.").format(user=self.user, host=self.host),
                _("Put it into {name}, or a password_command into {config_file}.").format(name=name, config_file=config_file()),
            )
        try:
            done = subprocess.run(  # noqa: S603 - the user's own command
                shlex.split(command), stdout=subprocess.PIPE, timeout=PATIENCE, check=True, text=True
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise CaptainError(
                _("The password_command of [{kind}] failed: {name}.").format(kind=self.kind, name=type(error).__name__),
                _("Try it by hand."),
            ) from None
        return done.stdout.splitlines()[0] if done.stdout else ""
