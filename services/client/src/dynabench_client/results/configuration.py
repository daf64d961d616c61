"""Results about task configurations: checks, versions, the models that fit, images."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dynabench_client.results.base import Result


class ConfigurationProblem(Result):
    """What is wrong with a configuration: where (`line` and `column` count from 1), why, and what to do."""

    path: str
    line: int | None
    column: int | None
    reason: str
    remedy: str


class ConfigurationCheck(Result):
    """Whether a configuration can be used; if so, `configuration` is the normalised document."""

    valid: bool
    problems: tuple[ConfigurationProblem, ...]
    configuration: dict[str, Any] | None


class Change(Result):
    """A value that differs between two versions; None stands for one that is not there."""

    path: str
    before: Any
    after: Any


class ConfigurationChange(Result):
    """What a configuration would change, and the version it would be."""

    configuration_version: int
    changes: tuple[Change, ...]


class TaskVersion(ConfigurationChange):
    """A version of a task's configuration, and what it changed."""

    created_at: datetime


class VersionedConfiguration(Result):
    """The configuration of one version, normalised and as its author wrote it."""

    configuration_version: int
    created_at: datetime
    configuration: dict[str, Any]
    yaml: str


class TaskModel(Result):
    """A served model that fits a task; one `in_the_loop` is a target of an open or paused round.

    Only a `published` one can become a target.
    """

    name: str
    task_type: str
    labels: tuple[str, ...]
    ready: bool
    in_the_loop: bool
    published: bool


class Upload(Result):
    """Where to send the bytes of an image, and how."""

    url: str
    method: str
    headers: dict[str, str]


class ImageStart(Result):
    """An image that waits for its bytes."""

    image_id: str
    upload: Upload


class Image(Result):
    """An image that was checked and kept, without what its file told about the camera."""

    image_id: str
    width: int
    height: int
    media_type: str


@dataclass(frozen=True)
class ImageContent:
    """The bytes of an image."""

    content: bytes
    media_type: str
