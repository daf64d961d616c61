"""Validating examples of others."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from dynabench_api.base import Value

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.areas.onboarding import OnboardingClient
from dynabench_client.areas.owner_work import OwnerWorkClient
from dynabench_client.areas.quality import QualityClient
from dynabench_client.connection import Values, given, segment
from dynabench_client.results.base import Empty
from dynabench_client.results.validation import (
    ExampleResolution,
    ExampleThread,
    ExampleVotes,
    Judgement,
    Lease,
    LeaseRenewed,
    MyVotes,
    RecentVote,
    ValidationCounts,
    Vote,
    VoteCount,
    WaitingRound,
)


class ValidationClient(OwnerWorkClient, QualityClient, OnboardingClient, DeadLettersClient):
    """Client of the validation service."""

    service = "validation"

    def lease(self, round_id: str, filter: Mapping[str, str] | None = None) -> Lease:
        """Return an example to validate: the leased one, or the next; or the reason for none.

        Owners may narrow it down: a `filter` has any of condition, cohort, tag, segment_id.
        """
        body = given(filter=dict(filter) if filter else None)
        return self._post(f"/rounds/{segment(round_id)}/leases", body, Lease, idempotent=True)

    def renew(self, lease_id: str) -> LeaseRenewed:
        """Extend a lease; the problem `lease-expired` means that another person has the slot."""
        return self._put(f"/leases/{segment(lease_id)}", {}, LeaseRenewed)

    def skip(self, lease_id: str) -> None:
        """Give an example back without a vote."""
        self._delete(f"/leases/{segment(lease_id)}", Empty)

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

    def undo(self, vote_id: str) -> Lease:
        """Take a vote back within a minute, and return its example to vote on anew.

        If the vote had settled the example, none is returned: another person is asked. The problem `vote-revealed`
        says that the vote is final.
        """
        return self._delete(f"/votes/{segment(vote_id)}", Lease)

    def reveal(self, vote_id: str) -> Vote:
        """See what the author of the example claims, and why; from then on the vote is final."""
        return self._post(f"/votes/{segment(vote_id)}/reveal", {}, Vote, idempotent=True)

    def waiting_for_me(self) -> tuple[WaitingRound, ...]:
        """Return the rounds with examples that one can be given, the most first."""
        return self._list("/people/me/waiting", WaitingRound)

    def my_recent_votes(self, round_id: str, limit: int = 10) -> tuple[RecentVote, ...]:
        """List your last votes in a round, newest first."""
        return self._list(f"/rounds/{segment(round_id)}/me/votes", RecentVote, limit=limit)

    def change_vote(
        self,
        vote_id: str,
        kind: str,
        *,
        value: Value | None = None,
        reason: str | None = None,
        metadata: Values | None = None,
    ) -> Vote:
        """Replace the answer of your vote; the problem `vote-settled` means that it is too late."""
        body = given(kind=kind, value=value, reason=reason, metadata=metadata)
        return self._put(f"/votes/{segment(vote_id)}", body, Vote)

    def judge(
        self,
        vote_id: str,
        agrees: bool | None = None,
        corrected: Value | None = None,
        explanation: str | None = None,
    ) -> Judgement:
        """Say, after the reveal, whether the author is right, what is right instead, and why; never counted.

        Where the task votes by judgement, `agrees` is the vote itself and left out.
        """
        body = given(agrees=agrees, corrected=corrected, explanation=explanation)
        return self._put(f"/votes/{segment(vote_id)}/judgement", body, Judgement)

    def counts(self, round_id: str) -> ValidationCounts:
        """Count a round's votes and resolutions."""
        return self._get(f"/rounds/{segment(round_id)}/counts", ValidationCounts)

    def my_votes(self, round_id: str) -> MyVotes:
        """Return counts of your votes in a round, and their fit with other votes and known answers."""
        return self._get(f"/rounds/{segment(round_id)}/me", MyVotes)

    def count_votes(
        self, round_id: str, voter_id: str, since: datetime, order_id: str | None = None
    ) -> VoteCount:
        """Count a person's votes in a round since a moment: your own, or for the task's owner anybody's.

        With the `order_id` of assigned work that names examples, the votes on these are counted.
        """
        path = f"/rounds/{segment(round_id)}/voters/{segment(voter_id)}/count"
        return self._get(path, VoteCount, since=since.isoformat(), order_id=order_id)

    def resolution(self, example_id: str) -> ExampleResolution:
        """Return how an example was resolved."""
        return self._get(f"/examples/{segment(example_id)}", ExampleResolution)

    def thread(self, example_id: str) -> ExampleThread:
        """Return the conversation about an example, for its author and owners of its task."""
        return self._get(f"/examples/{segment(example_id)}/messages", ExampleThread)

    def write_message(
        self, example_id: str, text: str, mentioned: Iterable[str] | None = None
    ) -> ExampleThread:
        """Write to the owners of the task about your example, or to its author as an owner.

        Owners of the task among the people `mentioned` are notified.
        """
        body = given(text=text, mentioned=None if mentioned is None else list(mentioned))
        return self._post(f"/examples/{segment(example_id)}/messages", body, ExampleThread)

    def votes(self, example_id: str) -> ExampleVotes:
        """Return the votes on an example, for its author and the task's owner; authors do not see the voters."""
        return self._get(f"/examples/{segment(example_id)}/votes", ExampleVotes)
