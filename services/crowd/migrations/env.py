"""Alembic's entry point: run the migrations over the service's own tables."""

from crowd.adapters import ledger_tables
from dynabench_common.database.migrations import run_environment

run_environment(ledger_tables.metadata)
