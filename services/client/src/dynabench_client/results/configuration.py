"""Results about task configurations: checks, versions, the models that fit, images."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_client.results.base import Result


class ConfigurationProblem(Result):
    """What is wrong with a configuration: where (`line` and `column` count from 1), why, and what to do."""

    path: str = ""
    line: int | None = None
    column: int | None = None
    reason: str = ""
    remedy: str = ""


class ConfigurationCheck(Result):
    """Whether a configuration can be used; if so, `configuration` is the normalised document."""

    valid: bool
    problems: tuple[ConfigurationProblem, ...] = ()
    configuration: dict[str, Any] | None = None


class Change(Result):
    """A value that differs between two versions; None stands for one that is not there."""

    path: str = ""
    before: Any = None
    after: Any = None


class ConfigurationChange(Result):
    """What a configuration would change, and the version it would be."""

    configuration_version: int = 0
    changes: tuple[Change, ...] = ()


class TaskVersion(ConfigurationChange):
    """A version of a task's configuration, and what it changed."""

    created_at: datetime | None = None


class VersionedConfiguration(Result):
    """The configuration of one version, normalised and as its author wrote it."""

    configuration_version: int
    created_at: datetime | None = None
    configuration: dict[str, Any] = Field(default_factory=dict)
    yaml: str = ""


class TaskModel(Result):
    """A served model that fits a task; one `in_the_loop` is a target of an open or paused round."""

    name: str
    task_type: str = ""
    labels: tuple[str, ...] = ()
    ready: bool = False
    in_the_loop: bool = False


class Upload(Result):
    """Where to send the bytes of an image, and how."""

    url: str
    method: str = "PUT"
    headers: dict[str, str] = Field(default_factory=dict)


class ImageStart(Result):
    """An image that waits for its bytes."""

    image_id: str
    upload: Upload


class Image(Result):
    """An image that was checked and kept, without what its file told about the camera."""

    image_id: str
    width: int = 0
    height: int = 0
    media_type: str = ""


@dataclass(frozen=True)
class ImageContent:
    """The bytes of an image."""

    content: bytes
    media_type: str
