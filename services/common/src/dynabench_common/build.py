"""A digest of the running code's sources, as its build number."""

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

DIGITS = 12


def build_of(*packages: str) -> str:
    """Return a short digest of these packages' sources: another one for every build that differs in them.

    Raises ModuleNotFoundError for a package that is not installed.
    """
    digest = hashlib.sha256()
    for package in packages:
        for folder in _folders(package):
            for module in sorted(folder.rglob("*.py")):
                digest.update(f"{package}/{module.relative_to(folder).as_posix()}\n".encode())
                digest.update(hashlib.sha256(module.read_bytes()).digest())
    return digest.hexdigest()[:DIGITS]


def _folders(package: str) -> Iterable[Path]:
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"no package {package!r} is installed", name=package)
    return [Path(place) for place in spec.submodule_search_locations]
