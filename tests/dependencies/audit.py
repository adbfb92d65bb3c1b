"""Whether a known vulnerability is in a package of requirements.lock or requirements.dev: `make audit-deps`.

Exit codes: 0 none is known, 1 there are some, 3 no advisory database answered for every package. pip-audit alone ends
with 0 when a database knows none of the packages, which says nothing about them.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCKS: Final = tuple(Path(__file__).parents[2] / name for name in ("requirements.lock", "requirements.dev"))
SERVICES: Final = ("pypi", "osv")
NONE_KNOWN: Final = 0
VULNERABLE: Final = 1
NO_ANSWER: Final = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """An exit code, and the lines that explain it."""

    code: int
    lines: list[str]


def verdict(report: str) -> Verdict:
    """The verdict of a JSON report of pip-audit; a report that is not JSON means that the database did not answer."""
    try:
        packages = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Verdict(NO_ANSWER, [])
    found = [
        f"{package['name']} {package['version']}: {vulnerability['id']}"
        f" (fixed in {', '.join(vulnerability['fix_versions']) or 'no release'})"
        for package in packages
        for vulnerability in package.get("vulns", [])
    ]
    if found:
        return Verdict(VULNERABLE, found)
    if not packages or any("skip_reason" in package for package in packages):
        return Verdict(NO_ANSWER, [])
    return Verdict(NONE_KNOWN, [f"No known vulnerability in {len(packages)} packages."])


def ask(service: str, locks: tuple[Path, ...] = LOCKS) -> Verdict:
    """Run pip-audit against one database; it takes the packages that this platform would install."""
    files = [part for lock in locks for part in ("--requirement", lock)]
    command = [Path(sys.executable).with_name("pip-audit"), *files, "--require-hashes", "--disable-pip"]
    options = ["--vulnerability-service", service, "--format", "json", "--progress-spinner", "off"]
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    return verdict(run.stdout)


def main() -> int:
    """Ask one database after the other until one answers."""
    for service in SERVICES:
        answer = ask(service)
        if answer.code != NO_ANSWER:
            sys.stdout.writelines(f"{line}\n" for line in answer.lines)
            return answer.code
    sys.stderr.write(
        "Dependencies were not audited: neither the advisories of PyPI nor OSV answered for all packages.\n"
    )
    return NO_ANSWER


if __name__ == "__main__":
    sys.exit(main())
