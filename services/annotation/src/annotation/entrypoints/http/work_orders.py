"""Routes of assigned work: a person's own, and those for owners of a task."""

from datetime import date
from uuid import UUID

from dynabench_api.work_orders import OwnWorkOrdersAnswer, WorkOrderAnswer, WorkOrdersAnswer
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.schemas import Input, PageQuery, cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from dynabench_tasks.configuration.onboarding import Activity
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel, Field

from annotation.domain.identifiers import ContextId, ExampleId, OrderId, PersonId, RoundId
from annotation.domain.work_order import Instruction, Worker
from annotation.entrypoints.http.access import dependencies, ensure_owner_of_round, signed_in_person
from annotation.entrypoints.http.schemas import RoundPath, TaskPath
from annotation.queries import work_orders as queries
from annotation.service_layer.work_orders import (
    AssignWork,
    ReassignWork,
    assign_work,
    reassign_work,
    withdraw_work,
)

MOST_PEOPLE = 100
MOST_CONTEXTS = 200
MOST_EXAMPLES = 200
LONGEST_TOPIC = 200
LONGEST_NAME = 100
UNITS = Field(ge=1, le=1000, description="Number of tries, or of examples to check")
DUE_ON = Field(description="The last day, in UTC")
blueprint = APIBlueprint("work_orders", __name__, url_prefix="/api/annotation/v1")


class OrderPath(BaseModel):
    """A work order in an address."""

    order_id: UUID


class WorkerBody(Input):
    """A person who gets work."""

    person_id: UUID
    name: str = Field(min_length=1, max_length=LONGEST_NAME, description="Name that owners see in lists")

    def worker(self) -> Worker:
        """Return the person."""
        return Worker(PersonId(self.person_id), self.name)


class WorkOrdersBody(Input):
    """The same work for each of some people."""

    people: list[WorkerBody] = Field(min_length=1, max_length=MOST_PEOPLE)
    activity: Activity
    topic: str = Field(default="", max_length=LONGEST_TOPIC, description="What to write about")
    context_ids: list[UUID] = Field(
        default_factory=list,
        max_length=MOST_CONTEXTS,
        description="Contexts that come first; only tries on them count. None: all contexts",
    )
    example_ids: list[UUID] = Field(
        default_factory=list,
        max_length=MOST_EXAMPLES,
        description="Examples to check, which come first; only checks of them count. None: any examples",
    )
    units: int = UNITS
    due_on: date = DUE_ON

    def instruction(self) -> Instruction:
        """Return the work."""
        contexts, examples = tuple(map(ContextId, self.context_ids)), tuple(map(ExampleId, self.example_ids))
        return Instruction(self.activity, self.topic.strip(), contexts, self.units, self.due_on, examples)


class ReassignmentBody(WorkerBody):
    """The person who gets the work instead, and how much of it is left."""

    units: int = UNITS
    due_on: date = DUE_ON


@blueprint.get("/work-orders", responses={200: OwnWorkOrdersAnswer})
@requires(Permission.READ_SELF)
def get_own_orders() -> Response:
    """List the work that owners assigned to you, the earliest due first."""
    found = queries.orders_of_person(dependencies().engine, signed_in_person(), hidden_tasks())
    return json_response(OwnWorkOrdersAnswer(items=[WorkOrderAnswer.model_validate(row) for row in found]))


@blueprint.get("/tasks/<slug>/work-orders", responses={200: WorkOrdersAnswer})
@requires(Permission.MANAGE_TASK)
def get_orders(path: TaskPath, query: PageQuery) -> Response:
    """List the work assigned in a task and its progress, newest first."""
    ensure(Permission.MANAGE_TASK, task=path.slug)
    before = page_start(query.cursor, cursor_id)
    found = queries.orders_of_task(dependencies().engine, path.slug, query.limit + 1, before)
    rows, cursor = cut_page(found, query.limit, lambda row: row.order_id)
    items = [WorkOrderAnswer.model_validate(row) for row in rows]
    return json_response(WorkOrdersAnswer(items=items, next_cursor=cursor))


@blueprint.post("/rounds/<round_id>/work-orders", responses={204: None})
@requires(Permission.MANAGE_TASK)
def post_orders(path: RoundPath, body: WorkOrdersBody) -> Response:
    """Assign work in a round to people, to all of them or to none."""
    ensure_owner_of_round(path.round_id)
    workers = [each.worker() for each in body.people]
    command = AssignWork(RoundId(path.round_id), signed_in_person(), workers, body.instruction())
    assign_work(command, dependencies())
    return Response(status=204)


@blueprint.post("/work-orders/<order_id>/withdrawal", responses={204: None})
@requires(Permission.MANAGE_TASK)
def post_withdrawal(path: OrderPath) -> Response:
    """End assigned work; repeating changes nothing."""
    _ensure_owner_of_order(path.order_id)
    withdraw_work(OrderId(path.order_id), signed_in_person(), dependencies())
    return Response(status=204)


@blueprint.post("/work-orders/<order_id>/reassignment", responses={204: None})
@requires(Permission.MANAGE_TASK)
def post_reassignment(path: OrderPath, body: ReassignmentBody) -> Response:
    """Give what is left of assigned work to another person, or to the same person with another day."""
    _ensure_owner_of_order(path.order_id)
    order_id, by = OrderId(path.order_id), signed_in_person()
    reassign_work(ReassignWork(order_id, by, body.worker(), body.units, body.due_on), dependencies())
    return Response(status=204)


def _ensure_owner_of_order(order_id: UUID) -> None:
    ensure(Permission.MANAGE_TASK, task=queries.task_of_order(dependencies().engine, order_id))
