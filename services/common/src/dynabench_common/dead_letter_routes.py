"""The route that tells what the consumers of a service gave up."""

from collections.abc import Callable
from datetime import datetime

from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import Engine, Table, Text, func, select
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by

from dynabench_common.http import json_response
from dynabench_common.permissions import Permission, requires


class DeadLettersOfTopic(BaseModel):
    """How many events of a topic a consumer gave up, and why the newest of them."""

    topic: str
    consumer: str
    count: int
    newest_at: datetime
    newest_reason: str


class DeadLettersAnswer(BaseModel):
    """What the consumers of a service gave up."""

    items: list[DeadLettersOfTopic] = Field(description="By topic; none is the sound state")


def dead_letters_blueprint(service: str, table: Table, engine: Callable[[], Engine]) -> APIBlueprint:
    """Return the route that tells what a service's consumers gave up; `engine` is called per request."""
    blueprint = APIBlueprint("dead_letters", service, url_prefix=f"/api/{service}/v1")

    @blueprint.get("/dead-letters", responses={200: DeadLettersAnswer})
    @requires(Permission.READ_HEALTH)
    def get_dead_letters() -> Response:
        """Count the events that could not be taken in, by topic."""
        newest = func.array_agg(aggregate_order_by(table.c.reason, table.c.sent_at.desc()), type_=ARRAY(Text))
        statement = (
            select(
                table.c.topic,
                table.c.consumer,
                func.count().label("count"),
                func.max(table.c.sent_at).label("newest_at"),
                newest[1].label("newest_reason"),
            )
            .group_by(table.c.topic, table.c.consumer)
            .order_by(table.c.topic, table.c.consumer)
        )
        with engine().connect() as connection:
            rows = connection.execute(statement).all()
        items = [DeadLettersOfTopic.model_validate(row._mapping) for row in rows]
        return json_response(DeadLettersAnswer(items=items))

    return blueprint
