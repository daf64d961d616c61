"""Alembic's entry: runs the migrations on the database that the caller names."""

from dynabench_common.database.migrations import run_environment
from registry.adapters.serving_tables import served_model

run_environment(served_model.metadata)
