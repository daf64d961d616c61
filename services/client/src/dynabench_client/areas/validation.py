"""Validating examples of others."""

from dynabench_client.connection import Area, given, segment
from dynabench_client.results.validation import (
    ExampleResolution,
    ExampleVotes,
    Judgement,
    Lease,
    MyVotes,
    ValidationCounts,
    Vote,
)
from dynabench_client.values import Value, Values


class ValidationClient(Area):
    """Client of the validation service."""

    service = "validation"

    def lease(self, round_id: str) -> Lease:
        """Return an example to validate: the one held already, or the next; or why there is none."""
        return self._post(f"/rounds/{segment(round_id)}/leases", {}, Lease, idempotent=True)

    def skip(self, lease_id: str) -> None:
        """Give an example back without a vote."""
        self._delete(f"/leases/{segment(lease_id)}")

    def vote(
        self,
        lease_id: str,
        kind: str,
        *,
        value: Value | None = None,
        reason: str | None = None,
        metadata: Values | None = None,
        idempotency_key: str | None = None,
    ) -> Vote:
        """Vote on a leased example; `kind` is the lease's `vote`, or flag (with a reason), or unsure.

        `value` is an answer of the lease's `answer_type`; `metadata` answers its `metadata_fields`.
        """
        body = given(kind=kind, value=value, reason=reason, metadata=metadata)
        return self._write_once(f"/leases/{segment(lease_id)}/votes", body, Vote, idempotency_key)

    def judge(self, vote_id: str, agrees: bool) -> Judgement:
        """Say, after the reveal, whether the author is right; stored, never counted."""
        return self._put(f"/votes/{segment(vote_id)}/judgement", {"agrees": agrees}, Judgement)

    def counts(self, round_id: str) -> ValidationCounts:
        """Count a round's votes and resolutions."""
        return self._get(f"/rounds/{segment(round_id)}/counts", ValidationCounts)

    def my_votes(self, round_id: str) -> MyVotes:
        """Count one's own votes in a round."""
        return self._get(f"/rounds/{segment(round_id)}/me", MyVotes)

    def resolution(self, example_id: str) -> ExampleResolution:
        """Return how an example was resolved."""
        return self._get(f"/examples/{segment(example_id)}", ExampleResolution)

    def votes(self, example_id: str) -> ExampleVotes:
        """Return the votes on an example; its author sees the resolution alone."""
        return self._get(f"/examples/{segment(example_id)}/votes", ExampleVotes)
