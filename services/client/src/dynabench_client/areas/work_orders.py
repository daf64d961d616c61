"""Work that owners assign to people: the part of annotation's client about it."""

from collections.abc import Iterable, Mapping
from datetime import date

from dynabench_client.connection import Area, given, segment
from dynabench_client.results.annotation import WorkOrder
from dynabench_client.results.base import Empty, Page


class WorkOrdersClient(Area):
    """Assigned work: one's own, and for owners that of a task."""

    def my_work_orders(self) -> tuple[WorkOrder, ...]:
        """List the work that owners assigned to you, the earliest due first."""
        return self._list("/work-orders", WorkOrder)

    def work_orders(
        self, slug: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[WorkOrder]:
        """List the work assigned in a task and its progress, newest first; for its owner."""
        return self._get(f"/tasks/{segment(slug)}/work-orders", Page[WorkOrder], limit=limit, cursor=cursor)

    def assign_work(
        self,
        round_id: str,
        people: Mapping[str, str],
        activity: str,
        units: int,
        due_on: date,
        *,
        topic: str | None = None,
        context_ids: Iterable[str] | None = None,
        example_ids: Iterable[str] | None = None,
    ) -> None:
        """Assign work to people, by their ids with the names that lists show: to all of them or none.

        `activity` is create or validate, `units` the number of tries or checks. With `context_ids` only tries on
        these contexts count, and they come first; so for checks with `example_ids`.
        """
        body = given(
            people=[{"person_id": person_id, "name": name} for person_id, name in people.items()],
            activity=activity,
            units=units,
            due_on=due_on.isoformat(),
            topic=topic,
            context_ids=None if context_ids is None else list(context_ids),
            example_ids=None if example_ids is None else list(example_ids),
        )
        self._post(f"/rounds/{segment(round_id)}/work-orders", body, Empty)

    def withdraw_work(self, order_id: str) -> None:
        """End assigned work; repeating changes nothing."""
        self._post(f"/work-orders/{segment(order_id)}/withdrawal", {}, Empty)

    def reassign_work(self, order_id: str, person_id: str, name: str, units: int, due_on: date) -> None:
        """Give what is left of assigned work to another person, or to the same one with another day."""
        body = {"person_id": person_id, "name": name, "units": units, "due_on": due_on.isoformat()}
        self._post(f"/work-orders/{segment(order_id)}/reassignment", body, Empty)
