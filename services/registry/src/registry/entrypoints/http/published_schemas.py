"""Queries and answers about published models."""

from datetime import datetime
from uuid import UUID

from dynabench_common.schemas import Text
from pydantic import BaseModel, Field

from registry.entrypoints.http.submission_schemas import CardAnswer, NewestFirst, TombstoneAnswer


class PublishedModel(BaseModel):
    """A model that everybody may see."""

    name: str = Field(description="Name at the gateway and as a target")
    model: str
    version: int
    task: str
    submission_id: UUID
    submitted_by: UUID | None
    submissions_of_team: int = Field(
        description="How many versions its submitter sent to the task, all counted"
    )
    published: bool
    pool: str | None
    size: int
    digest: str | None
    signed_by: str | None = Field(description="Fingerprint of the signer's public key: sha256 of its PEM")
    deployed_at: datetime | None
    card: CardAnswer
    tombstone: TombstoneAnswer | None = Field(
        description="What is left of a model that was deleted while it was published; null of all others"
    )


class PublishedModelsAnswer(BaseModel):
    """Published models of a task."""

    items: list[PublishedModel]
    next_cursor: str | None


class PublishedModelsQuery(NewestFirst):
    """Which published models."""

    task: Text | None = Field(default=None, max_length=100)


class ServedPath(BaseModel):
    """Names a served version of a model."""

    name: Text = Field(max_length=100)
