"""Saved sets of weights with names, and frozen boards that can be cited."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from leaderboard.domain.board_choice import Choice

MOST_VIEWS = 20
"""Limit for one person in one task."""
MOST_SNAPSHOTS = 20
WITHIN = timedelta(days=1)
"""Period in which a person may make MOST_SNAPSHOTS snapshots."""


@dataclass(frozen=True)
class SavedView:
    """A person's own weights for a board, under a name."""

    view_id: UUID
    task_slug: str
    owner_id: UUID
    name: str
    choice: Choice
    created_at: datetime


@dataclass(frozen=True)
class Snapshot:
    """A board as everybody saw it at one time; `sha256` is of `document`, its canonical JSON, and never changes."""

    snapshot_id: UUID
    task_slug: str
    made_by: UUID
    created_at: datetime
    as_of: datetime
    sha256: str
    document: str


def canonical(document: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys and no spaces, so that equal boards have equal texts. Raises ValueError for NaN."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(document: str) -> str:
    """Return the SHA-256 of a document in UTF-8, in hexadecimal digits."""
    return sha256(document.encode()).hexdigest()
