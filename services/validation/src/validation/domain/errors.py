"""Refusals that a caller can act on. They carry data; the edge decides their HTTP form."""

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.votes import VoteKind

from validation.domain.identifiers import ExampleId, LeaseId, RoundId, VoteId


class RoundUnknown(Exception):
    """No event has named the round."""

    def __init__(self, round_id: RoundId) -> None:
        super().__init__(f"round {round_id} is unknown")
        self.round_id = round_id


class RoundTakesNoVotes(Exception):
    """The round is a draft still, or released already."""

    def __init__(self, round_id: RoundId, state: RoundState) -> None:
        super().__init__(f"round {round_id} is {state}")
        self.round_id = round_id
        self.state = state


class RoundReleased(Exception):
    """The round is released, so nothing of it changes any more."""

    def __init__(self, round_id: RoundId) -> None:
        super().__init__(f"round {round_id} is released")
        self.round_id = round_id


class ExampleUnknown(Exception):
    """No event has named the example, or the configuration it was made under."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is unknown")
        self.example_id = example_id


class ExampleRetracted(Exception):
    """The author withdrew the example."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is retracted")
        self.example_id = example_id


class OwnExample(Exception):
    """Authors don't vote on their own examples."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is the voter's own")
        self.example_id = example_id


class LeaseUnknown(Exception):
    """There is no such lease, or none any more."""

    def __init__(self, lease_id: LeaseId) -> None:
        super().__init__(f"lease {lease_id} is unknown")
        self.lease_id = lease_id


class LeaseOfAnother(Exception):
    """The lease is another person's."""

    def __init__(self, lease_id: LeaseId) -> None:
        super().__init__(f"lease {lease_id} is another person's")
        self.lease_id = lease_id


class LeaseExpired(Exception):
    """The lease ran out and its slot has gone to another person."""

    def __init__(self, lease_id: LeaseId) -> None:
        super().__init__(f"lease {lease_id} has expired")
        self.lease_id = lease_id


class AlreadyVoted(Exception):
    """The person has answered on this example before."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} was cast before")
        self.vote_id = vote_id


class WrongVoteKind(Exception):
    """The task votes in the other mode."""

    def __init__(self, kind: VoteKind, expected: VoteKind) -> None:
        super().__init__(f"{kind} given, {expected} expected")
        self.kind = kind
        self.expected = expected


class FieldOutOfPlace(Exception):
    """A field that this kind of vote doesn't have."""

    def __init__(self, field: str, kind: VoteKind) -> None:
        super().__init__(f"{field} given with {kind}")
        self.field = field
        self.kind = kind


class FlagReasonMissing(Exception):
    """A flag without words for the author and the owner."""


class VoteUnknown(Exception):
    """There is no such vote."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} is unknown")
        self.vote_id = vote_id


class VoteOfAnother(Exception):
    """The vote is another person's."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} is another person's")
        self.vote_id = vote_id


class UndoTooLate(Exception):
    """The vote was cast too long ago to be taken back."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} was cast too long ago")
        self.vote_id = vote_id


class VoteFollowed(Exception):
    """Somebody else has acted on the example since the vote."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} was followed by another person's")
        self.vote_id = vote_id


class VoteSettled(Exception):
    """The example is resolved, and its voter's minute is over or others have acted since."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} is settled")
        self.vote_id = vote_id


class VoteRevealed(Exception):
    """Its voter has seen what the author claims."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} is final since its voter has seen the claim")
        self.vote_id = vote_id


class SlotTaken(Exception):
    """Other people hold every slot that would be free for the voter."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"the slot of vote {vote_id} is taken")
        self.vote_id = vote_id


class VoteOpen(Exception):
    """The person may still vote on the example, and so must not know yet what others say of it."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is open to the person's vote")
        self.example_id = example_id


class NothingToJudge(Exception):
    """The author claimed nothing, or the vote itself was the judgement."""

    def __init__(self, vote_id: VoteId) -> None:
        super().__init__(f"vote {vote_id} has no claim to judge")
        self.vote_id = vote_id


class OwnDecision(Exception):
    """Owners don't decide on examples that they wrote."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is the owner's own")
        self.example_id = example_id


class NotAdjudicated(Exception):
    """No decision of the owner stands on the example."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is not adjudicated")
        self.example_id = example_id


class AppealOfAnother(Exception):
    """An appeal by a person other than the author."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is another person's")
        self.example_id = example_id


class AlreadyAppealed(Exception):
    """The author has appealed before."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} was appealed before")
        self.example_id = example_id


class NothingToAppeal(Exception):
    """The example is not resolved, or resolved as the author claims."""

    def __init__(self, example_id: ExampleId, resolution: Resolution | None) -> None:
        super().__init__(f"example {example_id} is {resolution or 'not resolved'}")
        self.example_id = example_id
        self.resolution = resolution


class ExampleNotInRound(Exception):
    """An example that is named with a round belongs to another one, or is unknown."""

    def __init__(self, example_id: ExampleId) -> None:
        super().__init__(f"example {example_id} is not of the round")
        self.example_id = example_id
