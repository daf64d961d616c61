"""Check the pinned packages for known vulnerabilities, with pip-audit; refuse those not accepted.

pip-audit skips packages that the service does not know, and exits with 0. Here each is named. If the service knows none
at all, nothing was looked up: a message says so, and the exit status is 3. With `--lint` it is 0 then, so that lint
works without a network. Further options go to pip-audit, such as `--vulnerability-service=osv`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

REQUIREMENTS = Path("deploy/requirements")
ASKED_FIRST = "uv.txt"
"""The shortest list: if the service is unavailable, no other list is tried."""
NOT_LOOKED_UP = 3
PATIENCE_SECONDS = 300


class NotLookedUp(Exception):
    """pip-audit could not reach the service; the message is its output."""


@dataclass
class Found:
    """Result of the service: vulnerabilities by package and id, and the packages that it does not know."""

    vulnerable: dict[tuple[str, str], str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)


def main(arguments: Sequence[str] | None = None, accepted: Path | None = None) -> int:
    """Look up all packages; return 0 without problems, 1 with problems, 3 if nothing could be looked up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lint", action="store_true", help="end with 0 where nothing could be looked up")
    parser.add_argument("lists", nargs="*", type=Path, help="lock files; all of deploy/requirements if none")
    options, passed_on = parser.parse_known_args(arguments)
    lists = options.lists or sorted(REQUIREMENTS.glob("*.txt"))
    short = [path for path in lists if path.name == ASKED_FIRST]
    try:
        found = look_up(short or lists, passed_on)
        if short and found.unknown != found.asked:
            found = look_up(lists, passed_on)
    except NotLookedUp as err:
        return _say_not_looked_up(str(err), lint=options.lint)
    if found.unknown == found.asked:
        return _say_not_looked_up(f"it does not know {', '.join(sorted(found.unknown))}", lint=options.lint)
    wrong = problems(found, _accepted(accepted), datetime.now(UTC).date())
    for line in wrong:
        print(line)
    if found.unknown:
        print(f"not known to the service, not looked up: {', '.join(sorted(found.unknown))}")
    print(f"{len(found.asked) - len(found.unknown)} of {len(found.asked)} packages looked up")
    return min(len(wrong), 1)


def _say_not_looked_up(reason: str, *, lint: bool) -> int:
    print(
        f"NO package was looked up for known vulnerabilities: the service does not answer ({reason})",
        file=sys.stderr,
    )
    print("  remedy: run 'make audit' where PyPI can be reached", file=sys.stderr)
    return 0 if lint else NOT_LOOKED_UP


def look_up(lists: Sequence[Path], options: Sequence[str]) -> Found:
    """Ask the service about all packages of some lock files. Raises NotLookedUp."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [
            str(Path(sys.executable).with_name("pip-audit")),
            "--disable-pip",
            "--no-deps",
            "--timeout=5",
        ]
        command += ["--progress-spinner=off", "--format=json", f"--output={answer}"]
        command += [part for path in lists for part in ("--requirement", str(path))]
        try:
            done = subprocess.run(
                [*command, *options],
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE_SECONDS,
            )
        except subprocess.TimeoutExpired as err:
            raise NotLookedUp(f"no answer within {PATIENCE_SECONDS} s") from err
        if not answer.exists() or not answer.stat().st_size:
            raise NotLookedUp((done.stderr.strip().splitlines() or ["pip-audit said nothing"])[-1][-300:])
        return read_answer(json.loads(answer.read_text(encoding="utf-8")))


def read_answer(answer: dict[str, Any]) -> Found:
    """Return the result in pip-audit's answer."""
    found = Found()
    for each in answer["dependencies"]:
        name = str(each["name"])
        found.asked.add(name)
        if "skip_reason" in each:
            found.unknown.add(name)
        for vulnerability in each.get("vulns", ()):
            fixes = ", ".join(vulnerability["fix_versions"]) or "no version yet"
            found.vulnerable[name, str(vulnerability["id"])] = f"{each['version']}, mended by {fixes}"
    return found


def _accepted(path: Path | None) -> list[dict[str, Any]]:
    text = (path or REQUIREMENTS / "accepted-vulnerabilities.yaml").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = yaml.safe_load(text)
    return entries


def problems(found: Found, accepted: Sequence[dict[str, Any]], today: date) -> list[str]:
    """Return the problems: vulnerabilities not accepted, accepted ones that are gone, and empty entries."""
    wrong = []
    live = {(entry["package"], entry["id"]): entry for entry in accepted}
    for (package, name), version in sorted(found.vulnerable.items()):
        entry = live.get((package, name))
        if entry is None:
            wrong.append(
                f"{package} has {name} ({version}): raise it with 'make lock', or accept it with a reason"
            )
        elif today >= entry["until"]:
            wrong.append(
                f"{package} has {name} ({version}), accepted until {entry['until']}: look at it again"
            )
    for package, name in sorted(live.keys() - found.vulnerable.keys()):
        if package in found.asked - found.unknown:
            wrong.append(f"{package} no longer has {name}: take it out of accepted-vulnerabilities.yaml")
    for entry in accepted:
        if not str(entry.get("reason", "")).strip():
            wrong.append(f"{entry['package']}: {entry['id']} is accepted without a reason: write it")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
