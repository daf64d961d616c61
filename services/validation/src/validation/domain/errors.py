"""Refusals that a caller can act on. They carry data; the edge decides their HTTP form."""

from dataclasses import dataclass

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.votes import VoteKind

from validation.domain.identifiers import ExampleId, GoldId, LeaseId, PersonId, RoundId, VoteId


@dataclass(eq=False)
class RoundUnknown(Exception):
    """No event has named the round."""

    round_id: RoundId


@dataclass(eq=False)
class RoundTakesNoVotes(Exception):
    """The round is a draft still, or released already."""

    round_id: RoundId
    state: RoundState


@dataclass(eq=False)
class RoundReleased(Exception):
    """The round is released, so nothing of it changes any more."""

    round_id: RoundId


@dataclass(eq=False)
class ExampleUnknown(Exception):
    """No event has named the example, or the configuration it was made under."""

    example_id: ExampleId


@dataclass(eq=False)
class ExampleRetracted(Exception):
    """The author withdrew the example."""

    example_id: ExampleId


@dataclass(eq=False)
class OwnExample(Exception):
    """Authors don't vote on their own examples."""

    example_id: ExampleId


@dataclass(eq=False)
class LeaseUnknown(Exception):
    """There is no such lease, or none any more."""

    lease_id: LeaseId


class TooManyMessages(Exception):
    """The person wrote too many messages about an example since the other side wrote."""


@dataclass(eq=False)
class LeaseOfAnother(Exception):
    """The lease is another person's."""

    lease_id: LeaseId


@dataclass(eq=False)
class LeaseExpired(Exception):
    """The lease ran out and its slot has gone to another person."""

    lease_id: LeaseId


@dataclass(eq=False)
class AlreadyVoted(Exception):
    """The person has answered on this example before."""

    vote_id: VoteId


@dataclass(eq=False)
class WrongVoteKind(Exception):
    """The task votes in the other mode."""

    kind: VoteKind
    expected: VoteKind


@dataclass(eq=False)
class FieldOutOfPlace(Exception):
    """A field that this kind of vote doesn't have."""

    field: str
    kind: VoteKind


class FlagReasonMissing(Exception):
    """A flag without words for the author and the owner."""


@dataclass(eq=False)
class VoteUnknown(Exception):
    """There is no such vote."""

    vote_id: VoteId


@dataclass(eq=False)
class VoteOfAnother(Exception):
    """The vote is another person's."""

    vote_id: VoteId


@dataclass(eq=False)
class UndoTooLate(Exception):
    """The vote was cast too long ago to be taken back."""

    vote_id: VoteId


@dataclass(eq=False)
class VoteFollowed(Exception):
    """Somebody else has acted on the example since the vote."""

    vote_id: VoteId


@dataclass(eq=False)
class VoteSettled(Exception):
    """The example is resolved, and the voter's minute has passed or others have acted since."""

    vote_id: VoteId


@dataclass(eq=False)
class VoteRevealed(Exception):
    """Its voter has seen what the author claims."""

    vote_id: VoteId


@dataclass(eq=False)
class SlotTaken(Exception):
    """Other people hold every slot that would be free for the voter."""

    vote_id: VoteId


@dataclass(eq=False)
class VoteOpen(Exception):
    """The person may still vote on the example, and so must not know yet what others say of it."""

    example_id: ExampleId


@dataclass(eq=False)
class NothingToJudge(Exception):
    """The author claimed nothing, or the vote itself was the judgement."""

    vote_id: VoteId


@dataclass(eq=False)
class OwnDecision(Exception):
    """Owners don't decide on examples that they wrote."""

    example_id: ExampleId


@dataclass(eq=False)
class NotAdjudicated(Exception):
    """No decision of the owner stands on the example."""

    example_id: ExampleId


@dataclass(eq=False)
class AppealOfAnother(Exception):
    """An appeal by a person other than the author."""

    example_id: ExampleId


@dataclass(eq=False)
class AlreadyAppealed(Exception):
    """The author has appealed before."""

    example_id: ExampleId


@dataclass(eq=False)
class NothingToAppeal(Exception):
    """The example is not resolved, or resolved as the author claims."""

    example_id: ExampleId
    resolution: Resolution | None


@dataclass(eq=False)
class ExampleNotInRound(Exception):
    """An example that is named with a round belongs to another one, or is unknown."""

    example_id: ExampleId


@dataclass(eq=False)
class ValidationPaused(Exception):
    """The person failed too many known items, or the owner paused them."""

    can_appeal: bool


@dataclass(eq=False)
class NotPaused(Exception):
    """There is no pause to appeal against."""

    person_id: PersonId


@dataclass(eq=False)
class AlreadyAppealedPause(Exception):
    """The person appealed against this pause before."""

    person_id: PersonId


@dataclass(eq=False)
class TaskUnknown(Exception):
    """No event has named the task."""

    slug: str


@dataclass(eq=False)
class ValidatorUnknown(Exception):
    """The person has answered on nothing in the task."""

    person_id: PersonId


@dataclass(eq=False)
class GoldUnknown(Exception):
    """There is no such item."""

    gold_id: GoldId
