"""View of one example that waits for a decision, with its votes and the possible decisions."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_client.results.annotation import Example
from dynabench_client.results.validation import CastVote, ExampleVotes

from web.kit import fields, words
from web.kit.answers import AnswerView, answer_view, shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import Asking, FieldView, FormValues, ShownValue
from web.kit.language import _
from web.kit.numbers import seconds, short_id
from web.kit.problems import ProblemView
from web.kit.votes import AppealView, DecidedView, appeal_view, decided_view, shown_claim
from web.kit.words import LabelView, Word
from web.owner_work.options import FLAG, JUDGEMENT, JUDGEMENTS, VALUE, OptionView, asked_field, option_view


@dataclass(frozen=True)
class CastVoteView:
    """A vote with its reasons, as the owner sees it."""

    option: OptionView
    voter: str
    reason: str
    judged: str
    corrected: ShownValue | None
    explanation: str
    took: str
    is_counted: bool


@dataclass(frozen=True)
class CaseView:
    """One example with the evidence for a decision."""

    example_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    claimed: ShownValue | None
    verdict: Word
    answers: list[AnswerView]
    why_label: str
    why_model: str
    resolution: Word | None
    duplicate_of: str
    duplicate_name: str
    votes: list[CastVoteView]
    appeal: AppealView | None
    decided: DecidedView | None


@dataclass(frozen=True)
class DecisionForm:
    """Possible answers of the owner: one of `options`, a value in `answer`, or that the example is unfit."""

    kind: str
    question: str
    options: list[LabelView]
    answer: FieldView | None
    markable: Mapping[str, str]
    is_flag: bool
    reason: str


def case_view(example: Example, votes: ExampleVotes, rules: TaskRules, kind: str) -> CaseView:
    """Return one example with its votes."""
    return CaseView(
        example_id=example.example_id,
        context=shown_values(example.context, rules),
        written=shown_values(example.input, rules),
        claimed=shown_claim(example.claimed, rules),
        verdict=words.verdict(example.verdict) if example.answers else words.nobody_asked(),
        answers=[answer_view(answer, rules, example.verdict) for answer in example.answers],
        why_label=example.explanations.label or "",
        why_model=example.explanations.model or "",
        resolution=words.resolution(votes.resolution),
        duplicate_of=example.duplicate_of or "" if example.is_duplicate else "",
        duplicate_name=short_id(example.duplicate_of) if example.duplicate_of else "",
        votes=[vote_view(position, vote, rules, kind) for position, vote in enumerate(votes.items, start=1)],
        appeal=appeal_view(votes.appeal),
        decided=decided_view(votes.adjudication),
    )


def decision_form(
    rules: TaskRules,
    kind: str,
    entered: FormValues,
    choice: str = "",
    reason: str = "",
    problem: ProblemView | None = None,
) -> DecisionForm:
    """Return the form of a decision, with what it entered before a refusal."""
    options = JUDGEMENTS if kind == JUDGEMENT else rules.options
    by_choice = kind == JUDGEMENT or asked_field(rules).is_one_label
    span_of = asked_field(rules).of
    markable = {span_of: f"passage-{span_of}"} if span_of and not by_choice else {}
    asking = Asking(
        control=VALUE, entered=entered, has_keys=True, passages=markable, is_required=False, problem=problem
    )
    return DecisionForm(
        kind=kind,
        question=_("Is the author right?") if kind == JUDGEMENT else _("What is the right answer?"),
        options=words.labels(options, {choice}, with_keys=True) if by_choice else [],
        answer=None if by_choice else fields.ask(asked_field(rules), asking),
        markable=markable,
        is_flag=choice == FLAG,
        reason=reason,
    )


def vote_view(position: int, vote: CastVote, rules: TaskRules, kind: str) -> CastVoteView:
    """Return a vote, formatted; if the voter is hidden, its position is shown instead."""
    return CastVoteView(
        option=option_view(vote.option, rules, kind),
        voter=_voter(vote, position),
        reason=vote.reason,
        judged=_judged(vote.agrees),
        corrected=shown_claim(vote.corrected, rules),
        explanation=vote.explanation or "",
        took=seconds(vote.seconds) if vote.seconds else "",
        is_counted=vote.counted,
    )


def _voter(vote: CastVote, position: int) -> str:
    if vote.voter_id:
        return _("Voter %(id)s", id=short_id(vote.voter_id))
    return _("Vote %(number)s", number=position)


def _judged(agrees: bool | None) -> str:
    if agrees is None:
        return ""
    return _("agrees with the author") if agrees else _("disagrees with the author")
