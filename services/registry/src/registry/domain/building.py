"""The building of an archive that the platform serves from one that a person sent."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from registry.domain.serving import Archive
from registry.domain.submission import Fault


class BuildState(StrEnum):
    """States of a build; one that waits for its turn is running."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class BuildOrder:
    """Order of a build, with its source object in S3. `source_digest` is "sha256:…" of its bytes.

    `max_tokens` None: the model's own limit.
    """

    submission_id: UUID
    source_key: str
    source_digest: str
    name: str
    version: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    max_tokens: int | None = None


@dataclass(frozen=True)
class BuildStatus:
    """Status of a build. `log` are its lines so far.

    A failed build has the party at fault, the reason and the remedy; a finished one has the archive to serve.
    """

    state: BuildState
    log: tuple[str, ...] = ()
    fault: Fault | None = None
    reason: str | None = None
    remedy: str | None = None
    archive: Archive | None = None
