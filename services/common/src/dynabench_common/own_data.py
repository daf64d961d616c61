"""Export of a service's data about a person, for that person: rows of its tables, each a line of JSON."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint
from sqlalchemy import Column, Engine, LargeBinary, select

from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.openapi import content

LINES = "application/jsonl"
SECRETS = frozenset({"password_hash", "app_secret", "recovery_digests", "webhook_secret"})
"""Columns that prove an identity. Binary columns, such as digests of tokens, are left out too."""


def own_data_blueprint(
    service: str, kept: Sequence[Column[Any]], engine: Callable[[], Engine]
) -> APIBlueprint:
    """Return the route to one's own rows. Each column of `kept` names the person in its table."""
    blueprint = APIBlueprint("own_data", service, url_prefix=f"/api/{service}/v1")

    @blueprint.get("/people/me/data", responses={200: content(LINES)})
    @requires(Permission.EXPORT_OWN_WORK)
    def get_own_data() -> Response:
        """Export what this service keeps about you, as JSON lines that name their table."""
        return Response(_lines(engine(), kept, signed_in_person()), content_type=LINES)

    return blueprint


def _lines(engine: Engine, kept: Sequence[Column[Any]], person_id: UUID) -> Iterator[bytes]:
    with engine.connect() as connection:
        for column in kept:
            shown = [each for each in column.table.columns if not _is_secret(each)]
            for row in connection.execute(select(*shown).where(column == person_id)).mappings():
                line = json.dumps({"table": column.table.name, **row}, default=str, ensure_ascii=False)
                yield f"{line}\n".encode()


def _is_secret(column: Column[Any]) -> bool:
    return column.name in SECRETS or isinstance(column.type, LargeBinary)
