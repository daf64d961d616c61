"""View of one example of a round with its history in order of time: author, votes with voters, decisions."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from dynabench_client.results.annotation import Example
from dynabench_client.results.validation import ExampleVotes

from web.kit import isolation, words
from web.kit.answers import AnswerView, answer_view, shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue
from web.kit.language import _
from web.kit.numbers import TimeView, moment, short_id
from web.kit.votes import shown_claim
from web.kit.words import Word
from web.owner_work.case_view import CastVoteView, vote_view
from web.owner_work.examples_view import became_word


@dataclass(frozen=True)
class HistoryEntry:
    """Something that happened to an example: a sentence, or a vote."""

    at: TimeView | None
    what: str = ""
    word: Word | None = None
    note: str = ""
    vote: CastVoteView | None = None


@dataclass(frozen=True)
class ExampleView:
    """One example, without parts that are hidden from the reader or unknown."""

    example_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    history: list[HistoryEntry]
    claimed: ShownValue | None = None
    verdict: Word | None = None
    became: Word | None = None
    answers: tuple[AnswerView, ...] = ()
    why_label: str = ""
    why_model: str = ""
    is_retracted: bool = False


def blind_view(example: Example, rules: TaskRules) -> ExampleView:
    """Return the view for people who may still vote on it: no claim, verdict, answers or votes."""
    return ExampleView(
        example_id=example.example_id,
        context=shown_values(example.context, rules),
        written=shown_values(example.input, rules),
        history=[entry for _at, entry in _written(example)],
    )


def example_view(example: Example, votes: ExampleVotes | None, rules: TaskRules, kind: str) -> ExampleView:
    """Return the whole example; `votes` is None if they could not be read. A retracted one has no text."""
    happened = [*_written(example), *(_voted(votes, rules, kind) if votes else ())]
    shown = replace(
        blind_view(example, rules),
        history=[entry for _at, entry in sorted(happened, key=lambda each: each[0])],
        verdict=words.verdict(example.verdict) if example.answers else words.nobody_asked(),
        became=None if votes is None else became_word(_became(votes)),
    )
    if example.retracted_at is not None:
        return replace(shown, context=[], written=[], is_retracted=True)
    return replace(
        shown,
        claimed=shown_claim(example.claimed, rules),
        answers=tuple(answer_view(answer, rules, example.verdict) for answer in example.answers),
        why_label=example.explanations.label or "",
        why_model=example.explanations.model or "",
    )


def _became(votes: ExampleVotes) -> str:
    if votes.retracted:
        return "retracted"
    return votes.resolution or ("waiting" if votes.pending else "unasked")


def _written(example: Example) -> Iterator[tuple[datetime, HistoryEntry]]:
    event_text = (
        _("Written by author %(id)s.", id=short_id(example.author_id))
        if example.author_id
        else _("Imported.")
    )
    yield example.created_at, HistoryEntry(moment(example.created_at), event_text)
    if example.retracted_at is not None:
        yield example.retracted_at, HistoryEntry(moment(example.retracted_at), _("Retracted by its author."))


def _voted(votes: ExampleVotes, rules: TaskRules, kind: str) -> Iterator[tuple[datetime, HistoryEntry]]:
    for position, vote in enumerate(votes.items, start=1):
        yield vote.cast_at, HistoryEntry(moment(vote.cast_at), vote=vote_view(position, vote, rules, kind))
    decided, appeal = votes.adjudication, votes.appeal
    if votes.resolved_at is not None and decided is None:
        yield (
            votes.resolved_at,
            HistoryEntry(
                moment(votes.resolved_at), _("The votes settled it:"), words.resolution(votes.resolution)
            ),
        )
    if appeal is not None:
        answer = (
            _("Answered: %(answer)s", answer=isolation.text(appeal.answer))
            if appeal.answer
            else _("Not answered yet.")
        )
        event_text = _("The author appealed: %(reason)s", reason=isolation.text(appeal.reason))
        yield appeal.at, HistoryEntry(moment(appeal.at), event_text, note=answer)
    if decided is not None:
        yield (
            decided.at,
            HistoryEntry(
                moment(decided.at),
                _("An owner decided:"),
                words.resolution(decided.resolution, words.DECISIONS),
                decided.reason,
            ),
        )
