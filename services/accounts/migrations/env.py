"""Alembic's entry point: runs the migrations on the database that the caller names."""

from accounts.database import metadata
from dynabench_common.database.migrations import run_environment

run_environment(metadata)
