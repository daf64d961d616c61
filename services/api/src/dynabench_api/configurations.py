"""Tasks' configurations, and images."""

from datetime import datetime
from typing import Any

from pydantic import RootModel

from dynabench_api.annotation import TaskAnswer
from dynabench_api.base import Id, Page, Record


class ProblemAnswer(Record):
    """What is wrong and where; line and column count from 1, null where the whole text is meant."""

    path: str
    line: int | None
    column: int | None
    reason: str
    remedy: str


class CheckAnswer(Record):
    """Whether a configuration can be used, and it with all defaults filled in if so."""

    valid: bool
    problems: tuple[ProblemAnswer, ...]
    configuration: dict[str, Any] | None


class ChangeAnswer(Record):
    """One place that differs: null stands before what is new and after what is gone."""

    path: str
    before: Any
    after: Any


class RehearsalAnswer(Record):
    """What a configuration would change, and the number that its version would have."""

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
    """Where to send the bytes; exactly the announced file is taken there, for a short while."""

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
