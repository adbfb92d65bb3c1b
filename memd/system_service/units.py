"""The files that make memd a service: a systemd unit and a launchd property list, as text."""

import plistlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LABEL: Final = "memd.server"
"""The name of the launchd job."""
STATE_DIR: Final = Path("/var/lib/memd")
"""The folder that systemd makes and hands to the system user."""
SYSTEM_ENVIRONMENT: Final = Path("/etc/memd/environment")

_EVERYWHERE: Final = """\
UMask=0077
LimitNOFILE=65536
NoNewPrivileges=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
"""
_AS_SYSTEM: Final = """\
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome={protect_home}
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictNamespaces=yes
"""


@dataclass(frozen=True, slots=True)
class Service:
    """The values in the files: the Python that runs memd, its data directory, and the options of `memd serve`."""

    python: Path
    data_dir: Path
    arguments: tuple[str, ...]
    environment_file: Path
    system: bool
    """Started with the machine as the user `memd`; else with the session of the user who installs it."""

    @property
    def command(self) -> tuple[str, ...]:
        """The command line; -P keeps the working directory off the path of Python."""
        data_dir = ("--data-dir", str(self.data_dir))
        return (str(self.python), "-P", "-m", "memd", "serve", *data_dir, *self.arguments)


def systemd_unit(service: Service) -> str:
    """The unit file: a sandbox that `systemd-analyze security` accepts for the system, what a user may set otherwise."""
    lines = [
        "[Unit]",
        "Description=memd, long-term memory for agents",
        *(("After=network-online.target", "Wants=network-online.target") if service.system else ()),
        "",
        "[Service]",
        "Type=notify",
        "TimeoutStartSec=infinity",  # an upgrade of the tables takes as long as it takes
        f"ExecStart={' '.join(map(_quoted, service.command))}",
        f"EnvironmentFile=-{_escaped(str(service.environment_file))}",
        "Restart=on-failure",
        "RestartPreventExitStatus=2",  # settings that are not valid stay so
        "RestartSec=2",
        "TimeoutStopSec=60",
        "KillMode=mixed",
        *(_of_the_system(service) if service.system else ()),
        _EVERYWHERE.rstrip(),
        "",
        "[Install]",
        f"WantedBy={'multi-user' if service.system else 'default'}.target",
    ]
    return "\n".join(lines) + "\n"


def _of_the_system(service: Service) -> list[str]:
    at_home = any(str(path).startswith(("/home/", "/root/")) for path in (service.python, service.data_dir))
    state = (
        ("StateDirectory=memd", "StateDirectoryMode=0700")
        if service.data_dir == STATE_DIR
        else (f"ReadWritePaths={_quoted(str(service.data_dir))}",)
    )
    sandbox = _AS_SYSTEM.format(protect_home="read-only" if at_home else "yes").rstrip()
    return ["User=memd", "Group=memd", *state, sandbox]


def _escaped(text: str) -> str:
    """A value whose specifiers systemd must not expand."""
    return text.replace("%", "%%")


def _quoted(word: str) -> str:
    """One word of a command line or a list of paths, quoted for any characters."""
    text = _escaped(word).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return text if text == word and not any(each.isspace() or each in "';" for each in word) else f'"{text}"'


def launchd_plist(service: Service) -> str:
    """The property list of a launchd agent, or of a daemon for the system; its output goes into the data directory."""
    log = str(service.data_dir / "memd.log")
    content: dict[str, object] = {
        "Label": LABEL,
        "ProgramArguments": list(service.command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ExitTimeOut": 60,
        "ProcessType": "Background",
        "StandardOutPath": log,
        "StandardErrorPath": log,
        "Umask": 0o077,
    }
    return plistlib.dumps(content).decode()
