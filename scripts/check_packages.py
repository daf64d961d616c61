"""Review installed packages: each direct dependency states its reason and is used, each licence is on the list.

Reads `deploy/requirements`: the reason follows each package's name, and `licences.yaml` lists licences. A dependency
that a project states itself counts as used if deptry finds it so (`check_dependencies.py`). All others must be imported
or run.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from weight import tracked

REQUIREMENTS = Path("deploy/requirements")
SERVING = Path(".venv-serving/bin/python")
OWN_LOCKS = ("services.txt", "local.txt", "dev.txt", "uv.txt")
SERVING_LOCKS = ("serving.txt",)
REVIEWED = ("services.in", "local.in", "dev.in")
"""Lists of packages installed here, whose contents can be inspected."""
SOURCES = (
    "services",
    "deploy",
    "proto",
    "scripts",
    "tests",
    "conftest.py",
    "Makefile",
    "pyproject.toml",
    "buf.yaml",
)
BESIDE = {
    "packaging": "gunicorn",
    "mypy-protobuf": "grpcio-tools",
    "pytest-timeout": "pytest",
    "hatchling": "uv",
}
"""Packages that another one imports or runs by itself, and that other one."""
DIRECT = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)(?P<rest>[^#]*)(?:#\s*(?P<reason>.*))?$")
LOCKED = re.compile(r"(?m)^([A-Za-z0-9][\w.-]*)==")
OSI = "License :: OSI Approved :: "
READ_LICENCES = """
import json, sys
from importlib import metadata
found = {}
for each in metadata.distributions():
    package = each.metadata
    marks = [mark for mark in package.get_all("Classifier") or [] if mark.startswith("License :: ")]
    found[package["Name"]] = [package.get("License-Expression") or "", marks, package.get("License") or ""]
json.dump(found, sys.stdout)
"""


def main() -> int:
    """Print the problems; return 1 if there are any."""
    found = [*without_reason(), *unused(), *refused_licences(), *unlicensed()]
    for line in found:
        print(line)
    return min(len(found), 1)


def direct(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each package that a list asks for, with the reason."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "-")):
            found = DIRECT.match(line)
            if found:
                yield found["name"].lower(), (found["reason"] or "").strip()


def without_reason() -> Iterator[str]:
    """Yield the direct dependencies without a reason."""
    for path in sorted(REQUIREMENTS.glob("*.in")):
        for name, reason in direct(path):
            if not reason:
                yield f"{path}: {name} has no reason: write it behind the name, after #."


def unused() -> Iterator[str]:
    """Yield the direct dependencies that nothing uses."""
    stated = "\n".join(path.read_text(encoding="utf-8") for path in Path().glob("*/*/pyproject.toml"))
    for name, where in [(name, file) for file in REVIEWED for name, _ in direct(REQUIREMENTS / file)]:
        is_stated = re.search(rf'"{re.escape(name)}[\["<=]', stated)
        if not is_stated and name not in BESIDE and not is_used(name):
            yield f"{REQUIREMENTS / where}: nothing uses {name}: take it out, or let it be used."


def is_used(name: str) -> bool:
    """Return whether a module of the package is imported, or a program of it named, somewhere in the sources."""
    files = [str(file) for file in metadata.files(name) or ()]
    modules = {file.split("/")[0].removesuffix(".py").removesuffix("-stubs") for file in files}
    modules -= {
        module for module in modules if module.endswith((".dist-info", ".so", "..")) or module == ".."
    }
    programs = {file.rsplit("/", 1)[1] for file in files if "/bin/" in file}
    programs |= {entry.name for entry in metadata.distribution(name).entry_points}
    imported = "|".join(map(re.escape, sorted(modules)))
    run = "|".join(map(re.escape, sorted(programs)))
    return bool(
        (imported and re.search(rf"(?m)^\s*(?:import|from) (?:{imported})\b", sources()))
        or (run and re.search(rf'(?:\$\(VENV\)/|"|-p )(?:{run})(?:"|\s|$)', sources()))
        or re.search(rf'"{re.escape(name)}"|--package {re.escape(name)}\b', sources())
    )


def unlicensed() -> Iterator[str]:
    """Yield this repository's projects that state no licence."""
    for path in tracked("*pyproject.toml"):
        project = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("project")
        if project and "license" not in project:
            yield f'{path}: it states no licence. Write license = "Apache-2.0" below [project].'


@cache
def sources() -> str:
    """Return the text of all sources that may use a package."""
    paths = [
        path
        for place in map(Path, SOURCES)
        for path in ([place] if place.is_file() else place.rglob("*.py"))
        if "node_modules" not in path.parts and "gen" not in path.parts and path.name != "check_packages.py"
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def locked(names: tuple[str, ...]) -> set[str]:
    """Return the packages that these lock files pin."""
    return {
        canonical(name)
        for lock in names
        for name in LOCKED.findall((REQUIREMENTS / lock).read_text(encoding="utf-8"))
    }


def canonical(name: str) -> str:
    """Return a package's name in the one way that indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def refused_licences() -> Iterator[str]:
    """Yield the installed packages whose licence is not on the list, and the list's unused exceptions."""
    rules = yaml.safe_load((REQUIREMENTS / "licences.yaml").read_text(encoding="utf-8"))
    let_in: Mapping[str, Any] = rules["let_in"]
    for python, locks in ((Path(sys.executable), OWN_LOCKS), (SERVING, SERVING_LOCKS)):
        if not python.exists():
            continue
        metadata = json.loads(
            subprocess.run([python, "-c", READ_LICENCES], capture_output=True, check=True).stdout
        )
        pinned = locked(locks)
        for name, (expression, marks, text) in sorted(metadata.items()):
            licence = spdx(expression, marks, text, rules["written"])
            if canonical(name) in pinned - let_in.keys() and not is_allowed(licence, set(rules["allowed"])):
                yield (
                    f"{name} has the licence {licence!r}, which is not allowed: do without it, or let it in with the "
                    f"reason, in {REQUIREMENTS}/licences.yaml."
                )
    for name in let_in.keys() - locked((*OWN_LOCKS, *SERVING_LOCKS)):
        yield f"{REQUIREMENTS}/licences.yaml lets in {name}, which is not installed: take it out."


def spdx(expression: str, marks: list[str], text: str, written: Mapping[str, str]) -> str:
    """Return a licence as an SPDX expression, from the three fields of the metadata."""
    if expression:
        return expression
    named = [mark.removeprefix(OSI) for mark in marks if mark.startswith(OSI)]
    if not named:
        named = text.strip().splitlines()[:1]
    return " AND ".join(written.get(name, name) for name in named)


def is_allowed(licence: str, allowed: set[str]) -> bool:
    """Return whether all parts of an expression are allowed; of alternatives one is enough."""
    parts = licence.replace("(", "").replace(")", "").split(" AND ")
    return all(any(choice.strip() in allowed for choice in part.split(" OR ")) for part in parts)


if __name__ == "__main__":
    sys.exit(main())
