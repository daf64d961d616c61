"""Agreement of votes, and statistics from votes about labels and people."""

from dynabench_client.connection import Area, segment
from dynabench_client.results.agreement import (
    Agreement,
    HumanEstimate,
    ValidatorPairs,
    VotesAdvice,
)


class AgreementClient(Area):
    """The part of the validation service's client that is about agreement."""

    service = "validation"

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
