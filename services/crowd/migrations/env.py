"""Alembic's entry point: run the migrations over the service's own tables."""

from crowd.adapters.ledger_tables import posting
from dynabench_common.database.migrations import run_environment

run_environment(posting.metadata)
