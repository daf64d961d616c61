"""Conditional answers: a reader that holds the present revision gets 304 and no body.

The tag is the round's revision with the build of the code that answers: another build may answer otherwise.
"""

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from uuid import UUID

from dynabench_common.http.service import json_response
from flask import Response, request
from pydantic import BaseModel

BUILD_DIGITS = 12


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
    return digest.hexdigest()[:BUILD_DIGITS]


def _folders(package: str) -> Iterable[Path]:
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"no package {package!r} is installed", name=package)
    return [Path(place) for place in spec.submodule_search_locations]


BUILD = build_of("leaderboard", "dynabench_api", "dynabench_common", "dynabench_tasks")


def is_current(revision: UUID) -> bool:
    """Return whether the caller already has this revision, according to its request."""
    return request.if_none_match.contains_weak(_tag(revision))


def tagged(revision: UUID, body: BaseModel) -> Response:
    """Return the answer of a revision."""
    return _with_tag(json_response(body), revision)


def not_modified(revision: UUID) -> Response:
    """Return the answer for a caller that holds this revision."""
    return _with_tag(Response(status=304), revision)


def _tag(revision: UUID) -> str:
    return f"{revision.hex}-{BUILD}"


def _with_tag(response: Response, revision: UUID) -> Response:
    response.set_etag(_tag(revision))
    response.headers["Cache-Control"] = "no-cache"
    return response
