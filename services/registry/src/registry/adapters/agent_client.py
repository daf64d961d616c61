"""HTTP client of the model servers' agent: a model server for the reconciler, a builder for the checks."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import quote
from uuid import UUID

from dynabench_archives.model_servers import (
    EPOCH_HEADER,
    PREFIX,
    Archive,
    BuildOrder,
    BuildState,
    BuildStatus,
    Fault,
    Pool,
    Registration,
    Served,
    Worker,
)
from dynabench_common.http.client import JsonClient, UpstreamError

from registry.domain.errors import AgentAway, ArchiveOnItsWay, ModelServerAway, ModelServerRefused, PoolAbsent
from registry.domain.notes import StoredNote

USUAL_SECONDS = 15.0
# The model server unpacks an archive before it answers; the agent waits for it a little less long.
REGISTER_SECONDS = 70.0
REFUSALS: Mapping[str, type[ModelServerRefused]] = {
    "/problems/archive-on-its-way": ArchiveOnItsWay,
    "/problems/pool-absent": PoolAbsent,
    "/problems/model-server-refused": ModelServerRefused,
    "/problems/archive-unusable": ModelServerRefused,
}


class AgentServer:
    """One pool of the agent as a model server. `epoch` is the number by which the reconciler leads."""

    def __init__(self, client: JsonClient, pool: Pool, epoch: int) -> None:
        self._client = client
        self._path = f"{PREFIX}/pools/{pool.value}"
        self._headers = {EPOCH_HEADER: str(epoch)}

    def served(self) -> Mapping[str, Served]:
        """Return everything that is registered, by name. Raises ModelServerAway, PoolAbsent."""
        answer = self._call("GET", "/served")
        return {each["serving_name"]: _read_served(each) for each in answer["served"]}

    def register(self, registration: Registration) -> None:
        """Begin to serve. Raises ArchiveOnItsWay while the store lacks the archive, ModelServerRefused."""
        self._call("POST", "/registrations", asdict(registration), seconds=REGISTER_SECONDS)

    def unregister(self, serving_name: str) -> None:
        """Stop serving."""
        self._call("DELETE", f"/registrations/{quote(serving_name, safe='')}", seconds=REGISTER_SECONDS)

    def scale(self, serving_name: str, workers: int) -> None:
        """Begin to change the number of workers."""
        self._call("PUT", f"/registrations/{quote(serving_name, safe='')}/workers", {"workers": workers})

    def probe(self, registration: Registration) -> tuple[str, str]:
        """Return the digests that a real answer carries. Raises ModelServerRefused for an unusable one."""
        path = f"/registrations/{quote(registration.serving_name, safe='')}/probe"
        answer = self._call("POST", path, asdict(registration))
        return str(answer["model_digest"]), str(answer["handler_digest"])

    def _call(
        self, method: str, path: str, body: object | None = None, seconds: float = USUAL_SECONDS
    ) -> Any:
        try:
            return self._client.call(
                method, self._path + path, body, timeout_seconds=seconds, headers=self._headers
            )
        except UpstreamError as err:
            problem = err.body if isinstance(err.body, dict) else {}
            detail = str(problem.get("detail", err))
            refused = REFUSALS.get(str(problem.get("type")))
            if refused is None:
                raise ModelServerAway(detail if err.status else "the agent does not answer") from err
            raise refused(detail, err.status) from err


class AgentBuilder:
    """The agent as a builder of archives and a reader of programs' output."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def start(self, order: BuildOrder) -> None:
        """Have an archive built. Raises AgentAway."""
        self._call("POST", "/builds", {**asdict(order), "submission_id": str(order.submission_id)})

    def status(self, submission_id: UUID) -> BuildStatus | None:
        """Return how the build stands; None if the agent knows of none. Raises AgentAway."""
        try:
            answer = self._call("GET", f"/builds/{submission_id}")
        except _Unknown:
            return None
        fault, archive = answer["fault"], answer["archive"]
        return BuildStatus(
            state=BuildState(answer["state"]),
            log=tuple(answer["log"]),
            fault=None if fault is None else Fault(fault),
            reason=answer["reason"],
            remedy=answer["remedy"],
            archive=None if archive is None else Archive(**archive),
        )

    def remove(self, submission_id: UUID, files: Sequence[str], serving_name: str | None) -> None:
        """Remove archives, a build's state and a program's output. Raises AgentAway, also while they are in use."""
        body = {"files": list(files), "serving_name": serving_name}
        self._call("POST", f"/builds/{submission_id}/removal", body)

    def printed(self, serving_name: str) -> Sequence[str]:
        """Return the last lines that a program printed in its sandbox; none while the agent is away."""
        try:
            answer = self._call("GET", f"/sandboxes/{quote(serving_name, safe='')}/log")
        except AgentAway:
            return ()
        return [str(line) for line in answer["lines"]]

    def _call(self, method: str, path: str, body: object | None = None) -> Any:
        return _called(self._client, method, PREFIX + path, body)


def notes(client: JsonClient) -> Mapping[str, StoredNote]:
    """Return the store's notes on archives that the agent did not fetch, by file name. Raises AgentAway."""
    answer = _called(client, "GET", f"{PREFIX}/notes")
    return {
        file: StoredNote(size=int(found["size"]), note=found["note"])
        for file, found in answer["archives"].items()
    }


class _Unknown(Exception):
    """The agent answered 404."""


def _called(client: JsonClient, method: str, path: str, body: object | None = None) -> Any:
    try:
        return client.call(method, path, body)
    except UpstreamError as err:
        if err.status == 404:
            raise _Unknown from err
        problem = err.body if isinstance(err.body, dict) else {}
        raise AgentAway(str(problem.get("detail", "the agent does not answer"))) from err


def _read_served(answer: Mapping[str, Any]) -> Served:
    workers = tuple(
        Worker(int(each["pid"]), str(each["status"]), each.get("peak_bytes")) for each in answer["workers"]
    )
    return Served(**{**answer, "workers": workers})
