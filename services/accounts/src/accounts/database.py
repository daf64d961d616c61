"""The metadata that the tables of all parts of accounts share; the migrations make them, a test compares the two."""

from dynabench_common.database.connections import new_metadata
from sqlalchemy import DateTime

MOMENT = DateTime(timezone=True)
metadata = new_metadata()
