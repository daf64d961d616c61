"""Validated errors that anybody may read, reports about them, and hiding them."""

from dynabench_client.areas.annotation import INSPECTION_TIMEOUT_SECONDS
from dynabench_client.connection import Area, given, segment
from dynabench_client.results.annotation import Inspection
from dynabench_client.results.base import Page
from dynabench_client.results.datasets import (
    ExampleReport,
    HiddenExample,
    OwnerHiddenExample,
    PublicExample,
    ReportedExample,
)


class PublicExamplesClient(Area):
    """Client of the scoring service's public examples."""

    service = "scoring"

    def list(
        self,
        *,
        task: str | None = None,
        round_id: str | None = None,
        target: str | None = None,
        dataset_id: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[PublicExample]:
        """List public examples; `order` is newest (the default) or best, `limit` at most 50.

        With `target`, only examples that this model got wrong.
        """
        return self._get(
            "/public-examples",
            Page[PublicExample],
            task=task,
            round_id=round_id,
            target=target,
            dataset_id=dataset_id,
            order=order,
            limit=limit,
            cursor=cursor,
        )

    def get(self, example_id: str) -> PublicExample:
        """Return a public example; the problem `not-found` does not tell whether there is one that is not public."""
        return self._get(f"/public-examples/{segment(example_id)}", PublicExample)

    def report(self, example_id: str, reason: str) -> ExampleReport:
        """Report a public example to the task's owners; a second report replaces the reason of an open one."""
        path = f"/public-examples/{segment(example_id)}/reports"
        return self._post(path, {"reason": reason}, ExampleReport, idempotent=True)

    def reports(
        self, task: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[ReportedExample]:
        """List the examples of a task with open reports, for its owners."""
        return self._get(f"/tasks/{segment(task)}/reports", Page[ReportedExample], limit=limit, cursor=cursor)

    def hide(self, example_id: str, reason: str | None = None) -> HiddenExample:
        """Hide an example everywhere. Owners give a reason and close its reports; authors need no reason."""
        return self._put(
            f"/public-examples/{segment(example_id)}/hidden", given(reason=reason), HiddenExample
        )

    def show(self, example_id: str) -> HiddenExample:
        """End the hiding of your own example. Owners call `show_as_owner`, which takes a reason."""
        return self._delete(f"/public-examples/{segment(example_id)}/hidden", HiddenExample)

    def hidden(
        self, task: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[OwnerHiddenExample]:
        """List the examples of a task that its owners hide, for its owners."""
        path = f"/tasks/{segment(task)}/hidden-examples"
        return self._get(path, Page[OwnerHiddenExample], limit=limit, cursor=cursor)

    def show_as_owner(self, example_id: str, reason: str) -> HiddenExample:
        """End the hiding of an example by an owner, with a reason; what its author hides stays hidden."""
        return self._put(f"/public-examples/{segment(example_id)}/shown", {"reason": reason}, HiddenExample)

    def keep(self, example_id: str, reason: str) -> HiddenExample:
        """Close the reports of an example without hiding it, for the task's owners."""
        return self._put(f"/public-examples/{segment(example_id)}/kept", {"reason": reason}, HiddenExample)

    def explain(self, example_id: str, target: str) -> Inspection:
        """Return the influence of each part of the texts on a target's answer. It takes seconds unless cached."""
        path = f"/public-examples/{segment(example_id)}/explanations"
        return self._post(
            path, {"target": target}, Inspection, timeout_seconds=INSPECTION_TIMEOUT_SECONDS, idempotent=True
        )
