"""Alembic's entry: runs the migrations on the database that the caller names."""

from dynabench_common.database.migrations import run_environment
from leaderboard.adapters.tables import metadata

run_environment(metadata)
