"""Queries and answers about published models."""

from dynabench_common.http.schemas import Text
from pydantic import BaseModel, Field

from registry.entrypoints.http.submission_schemas import NewestFirst


class PublishedModelsQuery(NewestFirst):
    """Filters of published models."""

    task: Text | None = Field(default=None, max_length=100)


class ServedPath(BaseModel):
    """A served version of a model in an address."""

    name: Text = Field(max_length=100)
