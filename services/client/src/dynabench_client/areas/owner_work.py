"""Owners' decisions about examples, and the authors' requests for them."""

from collections.abc import Iterable, Sequence

from dynabench_api.base import Value

from dynabench_client.connection import Area, given, segment
from dynabench_client.results.base import Empty, Page
from dynabench_client.results.validation import (
    Appeal,
    ExampleResolution,
    Requeued,
    RoundExample,
    RoundWorkCounts,
    WorkCounts,
    WorkItem,
)


class OwnerWorkClient(Area):
    """The part of the validation service's client for decisions that are no votes."""

    service = "validation"

    def adjudicate(
        self, example_id: str, kind: str, reason: str, *, value: Value | None = None
    ) -> ExampleResolution:
        """Decide an example, whatever its votes; `kind` and `value` are as for a vote."""
        body = given(kind=kind, value=value, reason=reason)
        return self._put(f"/examples/{segment(example_id)}/adjudication", body, ExampleResolution)

    def reverse_adjudication(self, example_id: str) -> ExampleResolution:
        """Undo a decision: the votes decide the example again."""
        return self._delete(f"/examples/{segment(example_id)}/adjudication", ExampleResolution)

    def appeal(self, example_id: str, reason: str) -> Appeal:
        """Appeal to the owner about your own example; possible once."""
        return self._post(f"/examples/{segment(example_id)}/appeal", {"reason": reason}, Appeal)

    def work(
        self,
        round_id: str,
        *,
        kind: str | None = None,
        claimed: str | None = None,
        agreed: str | None = None,
        disagreement: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[WorkItem]:
        """List what waits for the owner's decision.

        `kind` is disputed, flagged, appealed, question or low_posterior; `disagreement` is with the author, or among
        voters.
        """
        return self._get(
            f"/rounds/{segment(round_id)}/work",
            Page[WorkItem],
            kind=kind,
            claimed=claimed,
            agreed=agreed,
            disagreement=disagreement,
            limit=limit,
            cursor=cursor,
        )

    def round_examples(
        self,
        round_id: str,
        *,
        text: str | None = None,
        verdict: str | None = None,
        became: str | None = None,
        tag: str | None = None,
        author_id: str | None = None,
        disagreement: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[RoundExample]:
        """List a round's examples, newest first, for the task's owners.

        `text` holds words that context or input must have; `became` is a resolution, waiting, unasked or retracted;
        `disagreement` is with the author, or among voters.
        """
        return self._get(
            f"/rounds/{segment(round_id)}/examples",
            Page[RoundExample],
            text=text,
            verdict=verdict,
            became=became,
            tag=tag,
            author_id=author_id,
            disagreement=disagreement,
            limit=limit,
            cursor=cursor,
        )

    def give_up_vote(self, example_id: str) -> None:
        """Give up your vote on an example, to see the author's claim and the votes."""
        self._put(f"/examples/{segment(example_id)}/abstention", {}, Empty)

    def work_counts(self, round_id: str) -> WorkCounts:
        """Count what waits for the owner and for votes."""
        return self._get(f"/rounds/{segment(round_id)}/work/counts", WorkCounts)

    def work_counts_of(self, round_ids: Sequence[str]) -> tuple[RoundWorkCounts, ...]:
        """Count what waits in several rounds, at most 50; one that validation does not know yet is left out."""
        return self._list("/work-counts", RoundWorkCounts, round_id=list(round_ids))

    def requeue(self, round_id: str, example_ids: Iterable[str], reason: str) -> Requeued:
        """Set the votes on examples aside, at most 200 of them, so that they wait for new ones."""
        body = {"example_ids": list(example_ids), "reason": reason}
        return self._post(f"/rounds/{segment(round_id)}/requeue", body, Requeued)
