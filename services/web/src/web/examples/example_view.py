"""View of a public example: its texts, people's votes, each model's answer, and the next steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Task
from dynabench_client.results.datasets import PublicExample
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.values import to_text
from markupsafe import Markup

from web.kit import fields, isolation
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue
from web.kit.fields.probabilities import ProbabilityView, probabilities
from web.kit.fields.span import ShownSpan
from web.kit.language import _, ngettext
from web.kit.marked_text import MarkedText, marked_text, other_mark, own_mark
from web.kit.numbers import TimeView, count, day, percent
from web.kit.public_examples import (
    confidence_of,
    example_address,
    fooled_words,
    in_sentence,
    labels_of,
    models_said,
    people_say,
    read_context,
    shortened,
    written,
)
from web.kit.questions import texts_of
from web.kit.rounds import current_round
from web.kit.sharing import LinkPreview, own_address
from web.kit.votes import FLAG, INCORRECT, JUDGEMENT, shown_claim, vote_kind
from web.kit.words import LabelView

LONGEST_TITLE = 90
SHOWN_OF_AUTHOR = 9


@dataclass(frozen=True)
class SaidView:
    """A model's answer: whether it is right, and the probability of each label, or of the answer alone."""

    target: str
    value: ShownValue | None
    outcome: str
    sign: str
    is_wrong: bool
    probabilities: list[ProbabilityView]


@dataclass(frozen=True)
class Invitation:
    """The next thing to do for a reader."""

    words: str
    address: str


@dataclass(frozen=True)
class ExampleView:
    """A public example; `preview` is how links to it are shown elsewhere."""

    example_id: str
    address: str
    heading: str
    task_slug: str
    round_id: str
    round_number: int
    round_title: str
    dataset_id: str
    author: str
    confirmed: TimeView | None
    notice: str
    read: list[ShownValue]
    started_from: list[ShownValue]
    written: list[ShownValue]
    marked: list[MarkedText]
    people: ShownValue | None
    votes: list[str]
    said: list[SaidView]
    preview: LinkPreview
    invitation: Invitation


def example_view(found: PublicExample, task: Task, rules: TaskRules) -> ExampleView:
    """Return an example in print."""
    context = found.context or {}
    read = read_context(context, rules)
    rest = {name: value for name, value in context.items() if name not in read}
    people = shown_claim(next(iter(found.golds), found.claimed), rules)
    heading, notice = fooled_words(found), found.content_notice or ""
    address = example_address(found.example_id)
    return ExampleView(
        example_id=found.example_id,
        address=address,
        heading=heading,
        task_slug=found.task_slug,
        round_id=found.round_id,
        round_number=found.round_number,
        round_title=found.round_title,
        dataset_id=found.dataset_id or "",
        author=(found.author or "")[:SHOWN_OF_AUTHOR],
        confirmed=day(found.resolved_at),
        notice=notice,
        read=fields.show_all(rules.context, read),
        started_from=fields.show_all(rules.context, rest),
        written=fields.show_all(rules.written, found.input),
        marked=_marked(found, rules, people),
        people=people,
        votes=_votes(found, task, rules),
        said=[_said(found, position, rules) for position in range(len(found.answers))],
        preview=LinkPreview(
            own_address(address), heading if notice else _share_title(found, heading), _share_words(found)
        ),
        invitation=_invitation(found, task),
    )


def _said(found: PublicExample, position: int, rules: TaskRules) -> SaidView:
    answer = found.answers[position]
    if answer.value is None or rules.claimed is None:
        return SaidView(answer.target, None, _("no answer"), "–", False, [])
    value = fields.show(rules.claimed, answer.value)
    shares, confidence = answer.probabilities or {}, confidence_of(answer)
    bars = probabilities(shares, rules.labels)
    if not bars and confidence is not None:
        label = LabelView(value.text, "label-other")
        bars = [ProbabilityView(label, f"{confidence:.4f}", percent(confidence, 0))]
    return SaidView(
        target=answer.target,
        value=value,
        outcome="" if answer.wrong is None else _("wrong") if answer.wrong else _("right"),
        sign="✕" if answer.wrong else "✓",
        is_wrong=answer.wrong is True,
        probabilities=bars,
    )


def _votes(found: PublicExample, task: Task, rules: TaskRules) -> list[str]:
    """Return the votes in sentences: first how many agree with what stands, then the other answers."""
    cast = sum(vote.count for vote in found.votes)
    if not cast:
        return []
    agreeing = [vote for vote in found.votes if _agrees(vote.option, found, task)]
    others = [vote for vote in found.votes if vote not in agreeing and vote.option != FLAG]
    numbers = {"agreeing": count(sum(vote.count for vote in agreeing)), "votes": count(cast)}
    if vote_kind(task.configuration) == JUDGEMENT:
        sentences = [
            ngettext(
                "%(agreeing)s of %(votes)s person agrees with the author.",
                "%(agreeing)s of %(votes)s people agree with the author.",
                cast,
                **numbers,
            )
        ]
    else:
        said = people_say(found)
        sentences = [
            ngettext(
                "%(agreeing)s of %(votes)s person says %(answer)s.",
                "%(agreeing)s of %(votes)s people say %(answer)s.",
                cast,
                answer=said,
                **numbers,
            ),
            *(_other_vote(vote.option, vote.count, found, rules) for vote in others),
        ]
    flags = sum(vote.count for vote in found.votes if vote.option == FLAG)
    if flags:
        sentences.append(ngettext("%(num)s person found it unfit.", "%(num)s people found it unfit.", flags))
    return sentences


def _other_vote(option: str, number: int, found: PublicExample, rules: TaskRules) -> str:
    value = rules.claimed.value_of(option) if rules.claimed else option
    return ngettext(
        "%(num)s person says %(answer)s.",
        "%(num)s people say %(answer)s.",
        number,
        answer=in_sentence(value, labels_of(found)),
    )


def _agrees(option: str, found: PublicExample, task: Task) -> bool:
    """Return whether a vote's answer agrees with what stands, as the task compares answers."""
    if option == FLAG:
        return False
    if vote_kind(task.configuration) == JUDGEMENT:
        return option != INCORRECT
    standing = [
        to_text(value) for value in found.golds or (() if found.claimed is None else (found.claimed,))
    ]
    if option in standing:
        return True
    try:
        return read_published(task.configuration).claimed_field.agrees_with_any(option, standing)
    except (ConfigurationError, ValueError, TypeError, LookupError):
        return False


def _marked(found: PublicExample, rules: TaskRules, people: ShownValue | None) -> list[MarkedText]:
    """Return the text with the answers of people and models marked in it; nothing where answers are no spans."""
    texts = texts_of(rules, found.context or {}, found.input)
    if rules.claimed is None or not isinstance(people, ShownSpan) or rules.claimed.of not in texts:
        return []
    spans = [
        (answer.target, shown)
        for answer in found.answers
        if answer.value is not None
        and isinstance(shown := fields.show(rules.claimed, answer.value), ShownSpan)
    ]
    marks = [
        own_mark(_("People"), people),
        *(other_mark(target, span, position) for position, (target, span) in enumerate(spans)),
    ]
    return [marked_text(rules.field(rules.claimed.of).label, texts[rules.claimed.of], marks)]


def _share_title(found: PublicExample, heading: str) -> str:
    quoted = Markup("“{}”").format(isolation.text(shortened(written(found), LONGEST_TITLE)))
    return _("%(heading)s: %(quoted)s", heading=heading, quoted=quoted)


def _share_words(found: PublicExample) -> str:
    """Return what link previews say of the example; answers that are texts are held back with the text."""
    if found.content_notice and not labels_of(found):
        return _("Open the page to read the text.")
    sentences: Sequence[str] = (
        _("People say %(answer)s.", answer=people_say(found)),
        models_said(found),
        isolation.name(found.task_title or found.task_slug),
    )
    return Markup(" ").join(each for each in sentences if each)


def _invitation(found: PublicExample, task: Task) -> Invitation:
    """Return the way to try it oneself: the open round, else one of the fooled models, else the task."""
    now = current_round(task.rounds)
    words = _("Try to fool it yourself")
    if now is not None and now.state == "open":
        return Invitation(words, f"/rounds/{now.round_id}/create")
    return Invitation(_("See the task"), f"/tasks/{found.task_slug}")
