"""Routes about known items, for the task's owners."""

from dynabench_api.validators import GoldAnswer, GoldListAnswer, RefreshedAnswer
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.schemas import PageQuery, cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import GoldId, RoundId
from validation.entrypoints.http.access import dependencies, ensure_for_round, owned_task, signed_in_person
from validation.entrypoints.http.gold_schemas import AttentionCheckBody, GoldPath, TaskPath
from validation.entrypoints.http.schemas import RoundPath
from validation.queries import gold
from validation.service_layer.gold import AddAttentionCheck, add_attention_check, refresh_gold, retire_gold

blueprint = APIBlueprint("gold", __name__, url_prefix="/api/validation/v1")


@blueprint.get("/tasks/<slug>/gold", responses={200: GoldListAnswer})
@requires(Permission.ADJUDICATE)
def get_gold(path: TaskPath, query: PageQuery) -> Response:
    """List the known items of a task, the newest first."""
    task = owned_task(Permission.ADJUDICATE, path.slug)
    before = page_start(query.cursor, cursor_id)
    found = gold.gold_of_task(
        dependencies().engine, task.task_id, None if before is None else GoldId(before), query.limit + 1
    )
    items, cursor = cut_page(found, query.limit, lambda record: record["gold_id"])
    listed = [GoldAnswer.model_validate(record) for record in items]
    return json_response(GoldListAnswer(items=listed, next_cursor=cursor))


@blueprint.post("/tasks/<slug>/gold", responses={201: GoldAnswer})
@requires(Permission.ADJUDICATE)
def post_gold(path: TaskPath, body: AttentionCheckBody) -> Response:
    """Add an attention check. The person who added it never gets it."""
    needed, task = dependencies(), owned_task(Permission.ADJUDICATE, path.slug)
    command = AddAttentionCheck(task.slug, signed_in_person(), body.context, body.input, body.answer)
    item = add_attention_check(command, needed)
    return json_response(GoldAnswer.model_validate(gold.gold_record(item, task.rules)), 201)


@blueprint.post("/rounds/<round_id>/gold/refresh", responses={200: RefreshedAnswer})
@requires(Permission.ADJUDICATE)
def post_refresh(path: RoundPath) -> Response:
    """Make known items from the round's unanimously resolved or adjudicated examples, until there are enough."""
    needed, round_id = dependencies(), RoundId(path.round_id)
    ensure_for_round(Permission.ADJUDICATE, round_id)
    refreshed = refresh_gold(round_id, needed)
    return json_response(RefreshedAnswer.model_validate(refreshed))


@blueprint.delete("/gold/<gold_id>", responses={204: None})
@requires(Permission.ADJUDICATE)
def delete_gold(path: GoldPath) -> Response:
    """Retire a known item. Nobody gets it any more, and earlier answers to it no longer count."""
    needed, gold_id = dependencies(), GoldId(path.gold_id)
    ensure(Permission.ADJUDICATE, task=gold.task_of_gold(needed.engine, gold_id))
    retire_gold(gold_id, needed)
    return Response(status=204)
