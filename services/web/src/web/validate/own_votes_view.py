"""View of the person's last votes: undoing the newest, and going back through them.

A vote that may still be changed is shown without the author's claim, so that a change is blind too. A final vote is
shown with the reveal and the remarks, or with a link to the author's claim.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dynabench_client.results.validation import Lease, RecentVote

from web.kit import fields
from web.kit.configuration import TaskRules
from web.kit.fields import FormValues, ShownValue
from web.kit.language import N_, _
from web.kit.numbers import TimeView, moment, seconds
from web.kit.problems import ProblemView
from web.kit.questions import filled_metadata
from web.kit.vote_form import VoteForm, asked_metadata, options_of, vote_form
from web.kit.votes import ANSWER, answer_field, own_answer, shown_claim
from web.validate.reveal import RevealView, past_reveal, said_words

AGREED = {
    True: N_("You said that the author is right."),
    False: N_("You said that the author is not right."),
}


@dataclass(frozen=True)
class UndoView:
    """The newest vote while it can be undone: for `seconds_left`, also in words."""

    vote_id: str
    said: ShownValue | None
    said_words: str
    seconds_left: int
    left: str


@dataclass(frozen=True)
class PastVoteView:
    """One of the last votes, with links to its neighbours; `vote_form` is present if it may be changed."""

    vote_id: str
    number: int
    of: int
    earlier: str
    later: str
    said: ShownValue | None
    said_words: str
    reason: str
    cast: TimeView | None
    vote_form: VoteForm | None
    reveal: RevealView | None
    can_reveal: bool
    why_fixed: str
    agreed: str
    corrected: ShownValue | None
    why: str


@dataclass(frozen=True)
class Again:
    """A refused form: its content and its problem."""

    entered: FormValues
    reason: str
    problem: ProblemView | None


def undo_view(recent: Sequence[RecentVote] | None, rules: TaskRules, now: datetime) -> UndoView | None:
    """Return the newest vote if there is still time to undo it; the service checks that nobody acted on it since."""
    newest = next(iter(recent or ()), None)
    if newest is None or newest.undo_until is None:
        return None
    left = int((newest.undo_until - now).total_seconds())
    if left < 1:
        return None
    said = own_answer(newest.kind, newest.value, rules)
    return UndoView(newest.vote_id, said, said_words(newest.kind), left, seconds(left))


def past_vote_view(
    recent: Sequence[RecentVote],
    vote_id: str,
    rules: TaskRules,
    *,
    key: str,
    round_number: int = 1,
    again: Again | None = None,
) -> PastVoteView | None:
    """Return the vote with that id, by default the newest; None for an unknown id."""
    at = next((place for place, each in enumerate(recent) if vote_id in {"", each.vote_id}), None)
    if at is None:
        return None
    vote = recent[at]
    can_change = vote.can_change and vote.example is not None
    return PastVoteView(
        vote_id=vote.vote_id,
        number=at + 1,
        of=len(recent),
        earlier=recent[at + 1].vote_id if at + 1 < len(recent) else "",
        later=recent[at - 1].vote_id if at else "",
        said=own_answer(vote.kind, vote.value, rules),
        said_words=said_words(vote.kind),
        reason=vote.reason,
        cast=moment(vote.cast_at),
        vote_form=_asked_again(vote, rules, key, round_number, again) if can_change else None,
        reveal=None if can_change else past_reveal(vote, rules),
        can_reveal=not can_change and vote.reveal is None,
        why_fixed="" if can_change else _why_fixed(vote),
        agreed="" if vote.agrees is None else _(AGREED[vote.agrees]),
        corrected=shown_claim(vote.corrected, rules),
        why=vote.explanation or "",
    )


def question_of(vote: RecentVote) -> Lease:
    """Return the question of a vote in the form of its lease."""
    return Lease.model_validate({**vote.document(), "lease_id": vote.vote_id})


def _asked_again(
    vote: RecentVote, rules: TaskRules, key: str, round_number: int, again: Again | None
) -> VoteForm:
    question = question_of(vote)
    view = vote_form(
        question,
        rules,
        key=key,
        entered=again.entered if again else _held(vote, question, rules, round_number),
        round_number=round_number,
        reason=again.reason if again else vote.reason,
        problem=again.problem if again else None,
    )
    options = [replace(each, is_chosen=each.name == vote.value) for each in view.options]
    return replace(view, options=options, vote_id=vote.vote_id)


def _held(vote: RecentVote, question: Lease, rules: TaskRules, round_number: int) -> FormValues:
    metadata = filled_metadata(asked_metadata(question, round_number), vote.metadata)
    if vote.value is None:
        return metadata
    asked = answer_field(rules, question.answer_type, options_of(question, rules))
    return {**fields.fill(asked, ANSWER, vote.value), **metadata}


def _why_fixed(vote: RecentVote) -> str:
    if vote.resolution:
        return _("Others have checked this text, so you can't change your answer any more.")
    if vote.reveal is not None:
        return _("You have seen the author's answer, so you can't change yours.")
    return _("This text is no longer being checked, so you can't change your answer.")
