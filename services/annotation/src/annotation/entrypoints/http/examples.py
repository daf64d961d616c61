"""Routes about examples: the try, and its author's later actions."""

from dynabench_api.annotation import ExampleAnswer, ExamplesAnswer, ExplanationAnswer
from dynabench_common.auth.permissions import Permission, current_principal, ensure, requires
from dynabench_common.http.idempotency import KeyedRequest, fingerprint
from dynabench_common.http.schemas import cursor_id, cut_page, page_start
from dynabench_common.http.service import idempotency_key, json_response
from flask import Response
from flask_openapi import APIBlueprint

from annotation.adapters.documents import example_document
from annotation.domain.example import Explanations
from annotation.domain.identifiers import ExampleId, RoundId
from annotation.entrypoints.http.access import (
    dependencies,
    ensure_may_see,
    ensure_owner_of_round,
    signed_in_person,
)
from annotation.entrypoints.http.schemas import (
    DecisionBody,
    ExamplePath,
    ExamplesQuery,
    ExplanationsBody,
    InspectionBody,
    MetadataBody,
    OverrulingBody,
    RoundPath,
    TryBody,
)
from annotation.queries import examples, rounds
from annotation.service_layer.examples import (
    DecideExample,
    DescribeExample,
    ExplainExample,
    InspectExample,
    OverruleDuplicate,
    decide_example,
    describe_example,
    explain_example,
    inspect_example,
    overrule_duplicate,
    retract_example,
)
from annotation.service_layer.tries import SubmitTry, submit_try

blueprint = APIBlueprint("examples", __name__, url_prefix="/api/annotation/v1")
REPLAYED = {"Idempotency-Replayed": "true"}


@blueprint.post("/rounds/<round_id>/examples", responses={201: ExampleAnswer, 200: ExampleAnswer})
@requires(Permission.CREATE_EXAMPLE)
def post_example(path: RoundPath, body: TryBody) -> Response:
    """Try a text against the round's targets. A repeated Idempotency-Key returns the first example."""
    reply = submit_try(_try_of(path, body), dependencies())
    if reply.is_replay:
        return json_response(reply.document, 200, REPLAYED)
    return json_response(reply.document, 201)


@blueprint.get("/rounds/<round_id>/examples", responses={200: ExamplesAnswer})
@requires(Permission.READ_SELF)
def get_examples(path: RoundPath, query: ExamplesQuery) -> Response:
    """List your own examples in a round, newest first. Owners may list everybody's."""
    if query.author == "all":
        ensure_owner_of_round(path.round_id)
    rounds.get_round(dependencies().engine, path.round_id)
    author_id = signed_in_person() if query.author == "me" else None
    before = page_start(query.cursor, cursor_id)
    found = examples.list_examples(dependencies().engine, path.round_id, author_id, query.limit + 1, before)
    items, cursor = cut_page(found, query.limit, lambda example: example.example_id)
    return json_response({"items": [example_document(e) for e in items], "next_cursor": cursor})


@blueprint.get("/examples/<example_id>", responses={200: ExampleAnswer})
@requires(Permission.READ_EXAMPLE)
def get_example(path: ExamplePath) -> Response:
    """Show an example to its author, its task's owner or an administrator."""
    return json_response(
        example_document(ensure_may_see(examples.get_example(dependencies().engine, path.example_id)))
    )


@blueprint.post("/examples/<example_id>/retraction", responses={200: ExampleAnswer})
@requires(Permission.CHANGE_OWN_EXAMPLE)
def post_retraction(path: ExamplePath) -> Response:
    """Retract your own example. Repeating it changes nothing."""
    example = retract_example(ExampleId(path.example_id), signed_in_person(), dependencies())
    return json_response(example_document(example))


@blueprint.put("/examples/<example_id>/explanations", responses={200: ExampleAnswer})
@requires(Permission.CHANGE_OWN_EXAMPLE)
def put_explanations(path: ExamplePath, body: ExplanationsBody) -> Response:
    """Add explanations to your own example."""
    command = ExplainExample(ExampleId(path.example_id), signed_in_person(), body.label, body.model)
    return json_response(example_document(explain_example(command, dependencies())))


@blueprint.put("/examples/<example_id>/metadata", responses={200: ExampleAnswer})
@requires(Permission.CHANGE_OWN_EXAMPLE)
def put_metadata(path: ExamplePath, body: MetadataBody) -> Response:
    """Add the task's metadata to your own example."""
    command = DescribeExample(ExampleId(path.example_id), signed_in_person(), body.metadata)
    return json_response(example_document(describe_example(command, dependencies())))


@blueprint.put("/examples/<example_id>/decision", responses={200: ExampleAnswer})
@requires(Permission.CHANGE_OWN_EXAMPLE)
def put_decision(path: ExamplePath, body: DecisionBody) -> Response:
    """Decide which targets were wrong, for tasks that leave this to the author. A decision is final."""
    command = DecideExample(ExampleId(path.example_id), signed_in_person(), body.wrong_targets)
    return json_response(example_document(decide_example(command, dependencies())))


@blueprint.post("/examples/<example_id>/duplicate-overruling", responses={200: ExampleAnswer})
@requires(Permission.MANAGE_TASK)
def post_duplicate_overruling(path: ExamplePath, body: OverrulingBody) -> Response:
    """Count an example although its text equals an earlier one. Only for owners of the task."""
    example = examples.get_example(dependencies().engine, path.example_id)
    ensure(Permission.MANAGE_TASK, task=example.attempt.task_slug)
    command = OverruleDuplicate(ExampleId(path.example_id), signed_in_person(), body.reason)
    return json_response(example_document(overrule_duplicate(command, dependencies())))


@blueprint.post("/examples/<example_id>/inspections", responses={200: ExplanationAnswer})
@requires(Permission.INSPECT_EXAMPLE)
def post_inspection(path: ExamplePath, body: InspectionBody) -> Response:
    """Explain a target's answer by token weights. The inspection is counted."""
    ensure_may_see(examples.get_example(dependencies().engine, path.example_id))
    command = InspectExample(
        ExampleId(path.example_id), signed_in_person(), body.target, body.label, body.n_steps
    )
    return json_response(inspect_example(command, dependencies()))


def _try_of(path: RoundPath, body: TryBody) -> SubmitTry:
    person_id = signed_in_person()
    return SubmitTry(
        round_id=RoundId(path.round_id),
        person_id=person_id,
        cohort=current_principal().cohort,
        explanations=Explanations(body.explanations.label or "", body.explanations.model or ""),
        request=KeyedRequest(
            person_id,
            f"rounds/{path.round_id}/examples",
            idempotency_key(),
            # The page counts since it was loaded, so a repeat of the same try may have another count.
            fingerprint(body.model_dump(mode="json", exclude={"pasted_characters"})),
        ),
        **body.model_dump(exclude={"explanations"}),
    )
