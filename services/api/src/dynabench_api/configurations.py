"""Tasks' configurations, and images."""

from datetime import datetime
from typing import Any

from pydantic import RootModel

from dynabench_api.annotation import TaskAnswer
from dynabench_api.base import Id, Page, Record


class ProblemAnswer(Record):
    """A problem and its position. Line and column count from 1; null means the whole text."""

    path: str
    line: int | None
    column: int | None
    reason: str
    remedy: str


class CheckAnswer(Record):
    """The result of a check. A valid configuration is returned with all defaults filled in."""

    valid: bool
    problems: tuple[ProblemAnswer, ...]
    configuration: dict[str, Any] | None


class ChangeAnswer(Record):
    """One difference. `before` is null for an added value, `after` for a removed one."""

    path: str
    before: Any
    after: Any


class RehearsalAnswer(Record):
    """The changes that a configuration would make, and its version number."""

    configuration_version: int
    changes: tuple[ChangeAnswer, ...]


class ConfiguredAnswer(RootModel[TaskAnswer | RehearsalAnswer]):
    """The task with its new configuration, or for a dry run the changes."""


class VersionSummary(Record):
    """A version in a list with its changes; the first version has none."""

    configuration_version: int
    created_at: datetime
    changes: tuple[ChangeAnswer, ...]


class VersionsAnswer(Page[VersionSummary]):
    """A page of versions, newest first."""


class VersionAnswer(Record):
    """One version: the document with all defaults filled in, and the owner's YAML."""

    configuration_version: int
    created_at: datetime
    configuration: dict[str, Any]
    yaml: str


class UploadAnswer(Record):
    """The URL for the bytes. It accepts only the announced file, for a short time."""

    url: str
    method: str
    headers: dict[str, str]


class StartedImageAnswer(Record):
    """An image that waits for its bytes."""

    image_id: Id
    upload: UploadAnswer


class ImageAnswer(Record):
    """A completed image. `media_type` is that of the stored image; a GIF is stored as PNG of its first frame."""

    image_id: Id
    width: int
    height: int
    media_type: str
