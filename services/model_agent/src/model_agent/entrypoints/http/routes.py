"""The agent's interface, for the registry's own processes alone."""

from dataclasses import asdict

from dynabench_archives.model_servers import EPOCH_HEADER, PREFIX
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from dynabench_common.problems import ErrorMap, Problem, not_found, unavailable
from flask import Response, current_app, request
from flask_openapi import APIBlueprint

from model_agent.dependencies import Dependencies
from model_agent.entrypoints.http.schemas import (
    Accepted,
    BuildAnswer,
    BuildBody,
    BuildPath,
    NotesAnswer,
    PoolPath,
    ProbeAnswer,
    RegistrationBody,
    RegistrationPath,
    RemovalBody,
    SaidAnswer,
    SandboxPath,
    ServedAnswer,
    ServedList,
    WorkersBody,
)
from model_agent.errors import ArchiveOnItsWay, ModelServerAway, ModelServerRefused, PoolAbsent
from model_agent.pools import ModelServer, Superseded
from model_agent.store import ArchiveInUse, ArchiveUnusable

EXTENSION = "model-agent"
blueprint = APIBlueprint("agent", __name__, url_prefix=PREFIX)


def _problem(status: int, slug: str, title: str, error: Exception, remedy: str) -> Problem:
    return Problem(status, slug, title, "{reason}", remedy=remedy, parameters={"reason": str(error)})


ERRORS: ErrorMap = {
    ModelServerAway: lambda error: unavailable(
        "model-server-away", "The model server is away", "{reason}", 1, {"reason": str(error)}
    ),
    ArchiveOnItsWay: lambda error: _problem(
        409, "archive-on-its-way", "Not here yet", error, "Ask again in a moment."
    ),
    ModelServerRefused: lambda error: _problem(
        422, "model-server-refused", "Refused", error, "Read the model server's log."
    ),
    PoolAbsent: lambda error: _problem(
        409, "pool-absent", "No such pool", error, "Set it up on this machine, or serve the model elsewhere."
    ),
    Superseded: lambda error: _problem(
        409, "reconciler-superseded", "Superseded", error, "Stop: another reconciler leads."
    ),
    ArchiveInUse: lambda error: _problem(
        409, "archive-in-use", "Still used", error, "Ask again in a moment."
    ),
    ArchiveUnusable: lambda error: _problem(
        422, "archive-unusable", "Unusable archive", error, "Put right what the reason says."
    ),
}


def _dependencies() -> Dependencies:
    found: Dependencies = current_app.extensions[EXTENSION]
    return found


def _commanded(path: PoolPath) -> ModelServer:
    """Return the pool's model server, for a reconciler that wants to change something."""
    pools = _dependencies().pools
    epoch = request.headers.get(EPOCH_HEADER, "")
    if not epoch.isdecimal() or len(epoch) > 18:
        raise Problem(
            422,
            "epoch-missing",
            "Who asks?",
            "The header {header} must be the number by which the reconciler leads.",
            field=EPOCH_HEADER,
            remedy="Send it.",
            parameters={"header": EPOCH_HEADER},
        )
    pools.obey(int(epoch))
    return pools.find(path.pool)


@blueprint.get("/pools/<pool>/served", responses={200: ServedList})
@requires(Permission.DIRECT_MODEL_SERVERS)
def list_served(path: PoolPath) -> Response:
    """List what the pool's model server holds."""
    served = _dependencies().pools.find(path.pool).served().values()
    answers = [ServedAnswer.model_validate(each, from_attributes=True) for each in served]
    return json_response(ServedList(served=answers))


@blueprint.post("/pools/<pool>/registrations", responses={202: Accepted})
@requires(Permission.DIRECT_MODEL_SERVERS)
def register(path: PoolPath, body: RegistrationBody) -> Response:
    """Begin to serve an archive, once it is in the store."""
    server = _commanded(path)
    registration = body.registration()
    if registration.archive is not None:
        _dependencies().store.bring(registration.archive)
    server.register(registration)
    return json_response(Accepted(), status=202)


@blueprint.delete("/pools/<pool>/registrations/<name>", responses={202: Accepted})
@requires(Permission.DIRECT_MODEL_SERVERS)
def unregister(path: RegistrationPath) -> Response:
    """Stop serving."""
    _commanded(path).unregister(path.name)
    return json_response(Accepted(), status=202)


@blueprint.put("/pools/<pool>/registrations/<name>/workers", responses={202: Accepted})
@requires(Permission.DIRECT_MODEL_SERVERS)
def scale(path: RegistrationPath, body: WorkersBody) -> Response:
    """Begin to change the number of workers."""
    _commanded(path).scale(path.name, body.workers)
    return json_response(Accepted(), status=202)


@blueprint.post("/pools/<pool>/registrations/<name>/probe", responses={200: ProbeAnswer})
@requires(Permission.DIRECT_MODEL_SERVERS)
def probe(path: RegistrationPath, body: RegistrationBody) -> Response:
    """Ask a model for an answer, and tell which digests it carries."""
    model, handler = _dependencies().pools.find(path.pool).probe(body.registration())
    return json_response(ProbeAnswer(model_digest=model, handler_digest=handler))


@blueprint.get("/sandboxes/<name>/log", responses={200: SaidAnswer})
@requires(Permission.DIRECT_MODEL_SERVERS)
def read_sandbox_log(path: SandboxPath) -> Response:
    """Read the last lines that a program printed in its sandbox; none where there was no such sandbox."""
    return json_response(SaidAnswer(lines=list(_dependencies().last_lines(path.name))))


@blueprint.get("/notes", responses={200: NotesAnswer})
@requires(Permission.DIRECT_MODEL_SERVERS)
def list_notes() -> Response:
    """List the archives that lie in the store by themselves, with their notes."""
    return json_response(NotesAnswer(archives=_dependencies().store.notes()))


@blueprint.post("/builds", responses={202: Accepted})
@requires(Permission.DIRECT_MODEL_SERVERS)
def start_build(body: BuildBody) -> Response:
    """Have the archive of a submission built; asking again changes nothing."""
    _dependencies().builds.start(body.order())
    return json_response(Accepted(), status=202)


@blueprint.get("/builds/<submission_id>", responses={200: BuildAnswer})
@requires(Permission.DIRECT_MODEL_SERVERS)
def read_build(path: BuildPath) -> Response:
    """Tell how a build stands; 404 where nobody asked, or the agent has begun anew since."""
    status = _dependencies().builds.status(path.submission_id)
    if status is None:
        raise not_found("build", "submission_id")
    answer = {**asdict(status), "log": list(status.log)}
    return json_response(BuildAnswer.model_validate(answer))


@blueprint.post("/builds/<submission_id>/removal", responses={200: Accepted})
@requires(Permission.DIRECT_MODEL_SERVERS)
def remove_build(path: BuildPath, body: RemovalBody) -> Response:
    """Remove what is here of a deleted submission; asking again changes nothing."""
    needed = _dependencies()
    needed.builds.remove(path.submission_id)
    for file in body.files:
        needed.store.remove(file)
    if body.serving_name is not None:
        needed.forget_said(body.serving_name)
    return json_response(Accepted())
