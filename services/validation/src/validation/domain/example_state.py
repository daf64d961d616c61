"""The state of one example in validation, and the two final steps of every command on it.

`ExampleValidation` has the commands. This module has the state they change, and the step from votes to a resolution.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dynabench_events import EventRecord, Versioned
from dynabench_events.validation import ExampleResolved, ResolutionWithdrawn, VoteCast, VoteJudged
from dynabench_tasks.resolution import Decision, Standing
from dynabench_tasks.votes import VoteAnswer

from validation.domain.errors import VoteUnknown
from validation.domain.identifiers import ExampleId, PersonId, RoundId, VoteId
from validation.domain.outcomes import Adjudication, Appeal, Outcome
from validation.domain.rules import ValidationRules
from validation.domain.votes import Vote


@dataclass
class ExampleState:
    """An example as validation knows it. `votes` are in the order in which they came.

    `claimed` and `texts`, the fields of context and input, are value texts; `claimed` is empty if nothing is claimed.
    """

    example_id: ExampleId
    round_id: RoundId
    author_id: PersonId
    claimed: str
    rules: ValidationRules
    task_slug: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    round_number: int = 1
    retracted: bool = False
    version: int = 0
    votes: list[Vote] = field(default_factory=list)
    outcome: Outcome | None = None
    adjudication: Adjudication | None = None
    appealed: Appeal | None = None
    events: list[Versioned[EventRecord]] = field(default_factory=list)

    @property
    def votes_counted(self) -> int:
        """Return how many votes stand for or against a resolution."""
        return sum(1 for vote in self.votes if vote.counted)

    @property
    def is_asked_anew(self) -> bool:
        """Tell whether its owner set votes aside, so that it waits whatever the task's selection says."""
        return any(vote.set_aside_at is not None for vote in self.votes)

    @property
    def possible_slots(self) -> int:
        """Return how many more votes may be needed; none once the example is resolved."""
        return self._slots(self.rules.policy.possible_votes)

    @property
    def certain_slots(self) -> int:
        """Return how many more votes are needed whatever they say."""
        return self._slots(self.rules.policy.certain_votes)

    def _slots(self, needed: Callable[[Standing], int]) -> int:
        return 0 if self.outcome is not None else needed(self.rules.standing(self._answers))

    @property
    def _answers(self) -> list[VoteAnswer]:
        return [vote.answer for vote in self.votes if vote.decides]

    def vote(self, vote_id: VoteId) -> Vote:
        """Return one of the votes. Raises VoteUnknown."""
        for vote in self.votes:
            if vote.vote_id == vote_id:
                return vote
        raise VoteUnknown(vote_id)

    def _take(self, vote: Vote) -> None:
        """Add an answer, which is evidence alone once the example is resolved."""
        self.votes.append(vote)
        self._record(self._cast(vote))

    def _cast(self, vote: Vote) -> VoteCast:
        return VoteCast(
            vote_id=vote.vote_id,
            example_id=self.example_id,
            round_id=self.round_id,
            voter_id=vote.voter_id,
            kind=vote.answer.kind,
            option=vote.answer.option,
            reason=vote.reason,
            counted=vote.counted,
            seconds=vote.seconds,
            cast_at=vote.cast_at,
            metadata=vote.metadata,
        )

    def _judged(self, vote: Vote, judged_at: datetime) -> VoteJudged:
        return VoteJudged(
            vote_id=vote.vote_id,
            example_id=self.example_id,
            round_id=self.round_id,
            agrees=bool(vote.agrees),
            judged_at=judged_at,
            corrected=vote.corrected,
            explanation=vote.explanation,
        )

    def _resolve_if_decided(self, now: datetime) -> None:
        """Resolve an unresolved example if its votes decide it."""
        decision = None if self.outcome is not None else self.rules.decide(self._answers)
        if decision is not None:
            self._resolve(decision, now)

    def _resolve(self, decision: Decision, now: datetime) -> None:
        """Take a decision of the votes, or of the owner if the example is adjudicated."""
        outcome = Outcome(
            resolution=self.rules.resolve(decision.agreed, self.claimed),
            agreed_option=decision.agreed[0].option if decision.agreed else "",
            votes_counted=decision.votes_counted,
            golds=self.rules.golds(decision.agreed),
            resolved_at=now,
        )
        self.outcome = outcome
        self._record(
            ExampleResolved(
                example_id=self.example_id,
                round_id=self.round_id,
                resolution=outcome.resolution,
                agreed_option=outcome.agreed_option,
                agreed_is_task_label=outcome.agreed_is_task_label,
                votes_counted=outcome.votes_counted,
                golds=outcome.golds,
                resolved_at=now,
                adjudicated_by=self.adjudication.decided_by if self.adjudication else None,
            )
        )

    def _decide_anew(self, now: datetime) -> None:
        """Let the votes that stand now decide again: another resolution, the same, or none any more."""
        was_resolved = self.outcome is not None
        self.outcome = None
        self._resolve_if_decided(now)
        if was_resolved and self.outcome is None:
            self._record(
                ResolutionWithdrawn(example_id=self.example_id, round_id=self.round_id, withdrawn_at=now)
            )

    def _record(self, event: EventRecord) -> None:
        """Take in an event as the next version of the example."""
        self.version += 1
        self.events.append(Versioned(self.version, event))
