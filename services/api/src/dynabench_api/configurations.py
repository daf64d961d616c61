"""Tasks' configurations, and images."""

from datetime import datetime
from typing import Any

from pydantic import RootModel

from dynabench_api.annotation import TaskAnswer
from dynabench_api.base import Id, Page, Record


class ProblemAnswer(Record):
    """A problem and its place; line and column count from 1 and are null for the whole text."""

    path: str
    line: int | None
    column: int | None
    reason: str
    remedy: str


class CheckAnswer(Record):
    """The result of a check; a usable configuration comes with all defaults filled in."""

    valid: bool
    problems: tuple[ProblemAnswer, ...]
    configuration: dict[str, Any] | None


class ChangeAnswer(Record):
    """One place that differs: null stands before what is new and after what is gone."""

    path: str
    before: Any
    after: Any


class RehearsalAnswer(Record):
    """The changes that a configuration would make, and the number of its version."""

    configuration_version: int
    changes: tuple[ChangeAnswer, ...]


class ConfiguredAnswer(RootModel[TaskAnswer | RehearsalAnswer]):
    """The task with its new configuration, or for a dry run what it would change."""


class VersionSummary(Record):
    """A version in a list, with what it changed; the first one changed nothing."""

    configuration_version: int
    created_at: datetime
    changes: tuple[ChangeAnswer, ...]


class VersionsAnswer(Page[VersionSummary]):
    """A page of versions, newest first."""


class VersionAnswer(Record):
    """One version: the document with defaults filled in, and the YAML as its owner wrote it."""

    configuration_version: int
    created_at: datetime
    configuration: dict[str, Any]
    yaml: str


class UploadAnswer(Record):
    """The address for the bytes; it takes exactly the announced file, for a short while."""

    url: str
    method: str
    headers: dict[str, str]


class StartedImageAnswer(Record):
    """An image that waits for its bytes."""

    image_id: Id
    upload: UploadAnswer


class ImageAnswer(Record):
    """A completed image; `media_type` is that of the kept picture, which shows the first frame of a GIF as PNG."""

    image_id: Id
    width: int
    height: int
    media_type: str
