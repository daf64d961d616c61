"""Request and response schemas of the agent."""

import re
from typing import Annotated
from uuid import UUID

from dynabench_archives.model_servers import (
    ARCHIVE,
    EXPLAIN_SUFFIX,
    FIELD,
    NAME,
    Archive,
    BuildOrder,
    Pool,
    Registration,
)
from dynabench_archives.task_types import TASK_TYPES
from dynabench_common.http.schemas import Text
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

DIGEST = r"^sha256:[0-9a-f]{64}$"
ServingName = Annotated[
    str,
    StringConstraints(pattern=rf"^{NAME.pattern}({re.escape(EXPLAIN_SUFFIX)}|-score-[0-9a-f]{{32}})?$"),
]
TextField = Annotated[str, StringConstraints(pattern=rf"^{FIELD.pattern}$")]
Label = Annotated[str, StringConstraints(min_length=1, max_length=500)]
TASK_TYPE = "^(" + "|".join(TASK_TYPES) + ")$"


class PoolPath(BaseModel):
    """Names a pool."""

    pool: Pool


class RegistrationPath(PoolPath):
    """Names a registration in a pool."""

    name: ServingName


class BuildPath(BaseModel):
    """Names the submission that a build is for."""

    submission_id: UUID


class Body(BaseModel):
    """A request body of a service; unknown members are refused."""

    model_config = ConfigDict(extra="forbid")


class ArchiveBody(Body):
    """An archive; `key` None: it lies in the store by itself."""

    file: str = Field(pattern=rf"^{ARCHIVE.pattern}$")
    sha256: str = Field(max_length=100)
    model_digest: str = Field(max_length=100)
    handler_digest: str = Field(max_length=100)
    size: int = Field(ge=0)
    key: str | None = Field(default=None, max_length=500)


class RegistrationBody(Body):
    """A registration as the reconciler wants it."""

    serving_name: ServingName
    archive: ArchiveBody
    fields: list[TextField]
    workers: int = Field(ge=0, le=64)
    on_demand: bool
    batch_size: int = Field(ge=1)
    max_batch_delay_milliseconds: int = Field(ge=1)
    response_timeout_seconds: int = Field(ge=1)
    explains: bool
    waits: bool = False

    def registration(self) -> Registration:
        """Return it as the model server takes it."""
        values = self.model_dump()
        archive = Archive(**values.pop("archive"))
        return Registration(**{**values, "archive": archive, "fields": tuple(self.fields)})


class WorkersBody(Body):
    """The number of workers that there should be."""

    workers: int = Field(ge=0, le=64)


class BuildBody(Body):
    """A request to build an archive."""

    submission_id: UUID
    source_key: str = Field(min_length=1, max_length=500)
    source_digest: str = Field(pattern=DIGEST)
    name: str = Field(pattern=rf"^{NAME.pattern}$")
    version: str = Field(pattern=r"^[A-Za-z0-9._-]{1,40}$")
    task_type: str = Field(pattern=TASK_TYPE)
    fields: list[TextField]
    labels: list[Label]
    max_tokens: int | None = Field(default=None, ge=1, le=100_000)

    def order(self) -> BuildOrder:
        """Return it as the builder takes it."""
        values = self.model_dump()
        return BuildOrder(**{**values, "fields": tuple(self.fields), "labels": tuple(self.labels)})


class RemovalBody(Body):
    """Remains of a submission to delete: archives in the store, and its program's output."""

    files: list[Annotated[str, StringConstraints(pattern=rf"^{ARCHIVE.pattern}$")]] = Field(max_length=10)
    serving_name: ServingName | None


class WorkerAnswer(BaseModel):
    """A worker process."""

    pid: int
    status: str
    peak_bytes: int | None = Field(description="Peak resident memory; null where nobody can tell")


class ServedAnswer(BaseModel):
    """A model that a server has loaded; `address` if it has one of its own, `waits_for` while it starts."""

    serving_name: str
    file: str
    batch_size: int
    max_batch_delay_milliseconds: int
    response_timeout_seconds: int
    min_workers: int
    workers: list[WorkerAnswer]
    address: str | None = None
    waits_for: str = ""


class ServedList(BaseModel):
    """Everything that is registered in a pool."""

    served: list[ServedAnswer]


class Accepted(BaseModel):
    """Something was begun."""

    accepted: bool = True


class ProbeAnswer(BaseModel):
    """The digests that a real answer carried."""

    model_digest: str
    handler_digest: str


class SandboxPath(BaseModel):
    """The name of a sandbox."""

    name: Text = Field(max_length=200)


class SaidAnswer(BaseModel):
    """Output of a program, the oldest line first."""

    lines: list[str]


class NotesAnswer(BaseModel):
    """Archives that lie in the store by themselves: size, and the note or why it can't be read."""

    archives: dict[str, dict[str, object]]


class BuildAnswer(BaseModel):
    """The state of a build."""

    state: str
    log: list[str]
    fault: str | None
    reason: str | None
    remedy: str | None
    archive: ArchiveBody | None
