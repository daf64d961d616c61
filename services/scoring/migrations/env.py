"""Alembic's entry: runs the migrations on the database that the caller names."""

from dynabench_common.database.migrations import run_environment
from evaluation.adapters import tables as evaluation
from scoring.adapters import tables as scoring

run_environment(scoring.metadata, evaluation.metadata)
