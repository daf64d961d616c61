"""Quality of validators' votes: gold items, their own figures, pauses, and agreement."""

from dynabench_api.base import Value

from dynabench_client.connection import Area, Values, segment
from dynabench_client.results.base import Empty, Page
from dynabench_client.results.validation import (
    Agreement,
    GoldItem,
    GoldRefreshed,
    HumanEstimate,
    PauseAppeal,
    Validator,
    ValidatorPairs,
    ValidatorStanding,
    ValidatorStandings,
    VotesAdvice,
)


class QualityClient(Area):
    """The part of the validation service's client that is about the quality and agreement of votes."""

    service = "validation"

    def validators(
        self, task: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[Validator]:
        """List a task's validators with how well they vote; for its owner."""
        return self._get(f"/tasks/{segment(task)}/validators", Page[Validator], limit=limit, cursor=cursor)

    def standings_of(self, person_id: str) -> tuple[ValidatorStanding, ...]:
        """List the tasks that a person votes in, and where and why they are paused; for administrators."""
        return self._get(f"/people/{segment(person_id)}/standings", ValidatorStandings).items

    def set_validator(self, task: str, voter_id: str, state: str, reason: str) -> Validator:
        """Pause a validator (`paused`) or let them vote again (`active`)."""
        body = {"state": state, "reason": reason}
        return self._put(f"/tasks/{segment(task)}/validators/{segment(voter_id)}", body, Validator)

    def appeal_pause(self, round_id: str, reason: str) -> PauseAppeal:
        """Ask the owner to lift your pause."""
        return self._post(f"/rounds/{segment(round_id)}/me/pause-appeal", {"reason": reason}, PauseAppeal)

    def gold(self, task: str, *, limit: int | None = None, cursor: str | None = None) -> Page[GoldItem]:
        """List the items with known answers that measure a task's validators."""
        return self._get(f"/tasks/{segment(task)}/gold", Page[GoldItem], limit=limit, cursor=cursor)

    def add_gold(
        self, task: str, context: Values, input: Values, answer: Value, kind: str = "attention"
    ) -> GoldItem:
        """Add an attention check: an item with an obvious answer."""
        body = {"context": dict(context), "input": dict(input), "answer": answer, "kind": kind}
        return self._post(f"/tasks/{segment(task)}/gold", body, GoldItem)

    def refresh_gold(self, round_id: str) -> GoldRefreshed:
        """Pick gold items anew from a round's examples on which everybody agreed or the owner decided."""
        return self._post(f"/rounds/{segment(round_id)}/gold/refresh", {}, GoldRefreshed)

    def retire_gold(self, gold_id: str) -> None:
        """Stop showing a gold item."""
        self._delete(f"/gold/{segment(gold_id)}", Empty)

    def agreement(self, round_id: str, by: str | None = None) -> Agreement:
        """Return how far a round's votes agree; `by` splits it by segment, target, condition, cohort, tag or week."""
        return self._get(f"/rounds/{segment(round_id)}/agreement", Agreement, by=by)

    def human_estimate(self, round_id: str) -> HumanEstimate:
        """Return how often a validator votes for the answer that the others agree on."""
        return self._get(f"/rounds/{segment(round_id)}/human-estimate", HumanEstimate)

    def validator_pairs(self, round_id: str) -> ValidatorPairs:
        """Return pairs of validators that agree beyond chance, and validators that confirm one author only.

        For the task's owner.
        """
        return self._get(f"/rounds/{segment(round_id)}/validators/pairs", ValidatorPairs)

    def votes_advice(self, round_id: str) -> VotesAdvice:
        """Return how many votes would hold the share of wrong resolutions under 5 %; nothing changes."""
        return self._get(f"/rounds/{segment(round_id)}/votes-advice", VotesAdvice)
