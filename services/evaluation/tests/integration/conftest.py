"""Evaluations in the processes of scoring, on a real PostgreSQL and S3."""

from services.scoring.tests.conftest import new_story
from services.scoring.tests.integration.conftest import (
    builder,
    client,
    clock,
    engine,
    feed,
    issuer,
    object_settings,
    owner,
    scoring_engine,
    store,
    story,
    worker,
)

__all__ = [
    "builder",
    "client",
    "clock",
    "engine",
    "feed",
    "issuer",
    "new_story",
    "object_settings",
    "owner",
    "scoring_engine",
    "store",
    "story",
    "worker",
]
