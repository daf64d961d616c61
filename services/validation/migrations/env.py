"""Alembic's entry point: run the migrations over the service's own tables."""

from dynabench_common.database.migrations import run_environment
from validation.adapters.tables import metadata

run_environment(metadata)
