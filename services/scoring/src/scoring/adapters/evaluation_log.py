"""Log of evaluations: one line per event, written in the event's own transaction."""

from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id
from sqlalchemy import Connection

from scoring.adapters.evaluation_tables import evaluation_line
from scoring.domain.evaluation import LogEvent


def note(
    connection: Connection, evaluation_id: UUID, event: LogEvent, at: datetime, **facts: int | str
) -> None:
    """Add a line to the log of an evaluation, which is locked or new."""
    values: dict[str, Any] = {"line_id": new_id(), "evaluation_id": evaluation_id, "at": at}
    connection.execute(evaluation_line.insert().values(**values, event=event, facts=facts))
