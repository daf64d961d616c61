"""Routes about rounds: their descriptions, their contexts, and figures for agreement checks."""

from dynabench_api.annotation import (
    AddedContextsAnswer,
    AssignmentAnswer,
    ContextsAnswer,
    CountsAnswer,
    FlagAnswer,
    OwnersContextAnswer,
    RoundAnswer,
)
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.schemas import PageQuery, cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from annotation.domain.identifiers import ContextId, RoundId
from annotation.entrypoints.http.access import dependencies, ensure_owner_of_round, signed_in_person
from annotation.entrypoints.http.schemas import (
    AssignmentBody,
    ContextPath,
    ContextsBody,
    FlagBody,
    RoundPath,
    assignment_answer,
)
from annotation.queries import examples, rounds
from annotation.service_layer.assignments import AssignContext, assign_context
from annotation.service_layer.contexts import (
    ContextUpload,
    FlagContext,
    add_contexts,
    flag_context,
)

blueprint = APIBlueprint("rounds", __name__, url_prefix="/api/annotation/v1")


@blueprint.get("/rounds/<round_id>", responses={200: RoundAnswer})
@requires(Permission.READ_PUBLIC)
def get_round(path: RoundPath) -> Response:
    """Show a round."""
    return json_response(RoundAnswer.model_validate(rounds.get_round(dependencies().engine, path.round_id)))


@blueprint.post("/rounds/<round_id>/contexts", responses={201: AddedContextsAnswer})
@requires(Permission.MANAGE_TASK)
def post_contexts(path: RoundPath, body: ContextsBody) -> Response:
    """Add contexts to a round, all or none."""
    ensure_owner_of_round(path.round_id)
    uploads = [ContextUpload(context.fields, context.tags) for context in body.contexts]
    added = add_contexts(RoundId(path.round_id), uploads, dependencies())
    return json_response(AddedContextsAnswer(context_ids=list(added)), 201)


@blueprint.get("/rounds/<round_id>/contexts", responses={200: ContextsAnswer})
@requires(Permission.MANAGE_TASK)
def get_contexts(path: RoundPath, query: PageQuery) -> Response:
    """List a round's contexts with their use."""
    ensure_owner_of_round(path.round_id)
    found = rounds.list_contexts(
        dependencies().engine, path.round_id, query.limit + 1, page_start(query.cursor, cursor_id)
    )
    items, cursor = cut_page(found, query.limit, lambda context: context.context_id)
    answers = [OwnersContextAnswer.model_validate(context) for context in items]
    return json_response(ContextsAnswer(items=answers, next_cursor=cursor))


@blueprint.post("/rounds/<round_id>/assignments", responses={200: AssignmentAnswer})
@requires(Permission.CREATE_EXAMPLE)
def post_assignment(path: RoundPath, body: AssignmentBody) -> Response:
    """Get your current context, or another one."""
    avoid = None if body.not_context_id is None else ContextId(body.not_context_id)
    command = AssignContext(RoundId(path.round_id), signed_in_person(), avoid)
    return json_response(assignment_answer(assign_context(command, dependencies())))


@blueprint.post("/contexts/<context_id>/flags", responses={201: FlagAnswer})
@requires(Permission.FLAG_CONTEXT)
def post_flag(path: ContextPath, body: FlagBody) -> Response:
    """Report a context as unfit."""
    command = FlagContext(ContextId(path.context_id), signed_in_person(), body.reason)
    is_withdrawn = flag_context(command, dependencies())
    return json_response(FlagAnswer(context_id=path.context_id, is_withdrawn=is_withdrawn), 201)


@blueprint.get("/rounds/<round_id>/counts", responses={200: CountsAnswer})
@requires(Permission.READ_PUBLIC)
def get_counts(path: RoundPath) -> Response:
    """Count a round's tries."""
    rounds.get_round(dependencies().engine, path.round_id)
    return json_response(
        CountsAnswer.model_validate(examples.count_tries(dependencies().engine, path.round_id))
    )


@blueprint.get("/rounds/<round_id>/me", responses={200: CountsAnswer})
@requires(Permission.READ_SELF)
def get_own_counts(path: RoundPath) -> Response:
    """Count your own tries in a round."""
    rounds.get_round(dependencies().engine, path.round_id)
    counts = examples.count_tries(dependencies().engine, path.round_id, signed_in_person())
    return json_response(CountsAnswer.model_validate(counts))
