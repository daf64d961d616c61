"""Public confirmed examples as cards: the text, people's votes and the models' answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from dynabench_client.results.base import Page
from dynabench_client.results.datasets import PublicExample, PublicTargetAnswer
from dynabench_tasks.values import Value, to_text
from markupsafe import Markup

from web.kit import isolation
from web.kit.configuration import Field, TaskRules, rules_of
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import TimeView, day, percent
from web.kit.parallel import Part, page_reads, values_within

NEWEST, BEST = "newest", "best"
MOST_CARDS = 3
PATIENCE_SECONDS = 1.0
"""Longest wait of a page for its examples, once everything else is there."""
LONGEST_TEXT, LONGEST_CONTEXT, LONGEST_NOTICE, LONGEST_ROUND = 280, 140, 140, 40


@dataclass(frozen=True)
class ExampleCard:
    """An example on a wall; with a `notice` its texts are shown only on request."""

    address: str
    context: str
    text: str
    people_say: str
    models_said: str
    notice: str
    task_slug: str
    task_title: str
    round_id: str
    round_number: int
    round_title: str
    day: TimeView | None


@dataclass(frozen=True)
class Wall:
    """A few examples on another page, with the address of all; `is_read` is false if they can't be had."""

    cards: list[ExampleCard]
    is_read: bool
    address: str


def begin_wall(order: str = NEWEST, **filters: str) -> Part[Page[PublicExample]]:
    """Start reading a wall's examples; `filters` are those of the SDK."""
    return page_reads().read(platform().public_examples.list, order=order, limit=MOST_CARDS, **filters)


def wall(
    found: Part[Page[PublicExample]], rules: TaskRules | None = None, /, slug: str = "", **query: str
) -> Wall:
    """Return a wall, empty if its examples can't be had in time.

    Without `rules`, those of the examples' tasks are read. `query` filters the page of all examples.
    """
    listed = found.value(PATIENCE_SECONDS)
    items = listed.items if listed else ()
    known = rules_of_tasks(items) if rules is None else {rules.slug: rules}
    cards = [example_card(each, known.get(each.task_slug)) for each in items]
    return Wall(cards, listed is not None, wall_address(slug, **query))


def rules_of_tasks(examples: Sequence[PublicExample]) -> dict[str, TaskRules]:
    """Return the rules of the examples' tasks, by slug, without those that can't be had in time."""
    read, reads = platform().annotation.task, page_reads()
    begun = [reads.read(read, slug) for slug in dict.fromkeys(each.task_slug for each in examples)]
    found = values_within(begun, PATIENCE_SECONDS)
    return {task.slug: rules_of(task.configuration, task.slug) for task in found if task is not None}


def readers_rules(rules: TaskRules) -> TaskRules:
    """Return the rules with fields under their names: the labels speak to the author ("Your sentence")."""

    def named(field: Field) -> Field:
        return replace(field, label=field.name.replace("_", " ").capitalize())

    claimed = named(rules.claimed) if rules.claimed else None
    return replace(
        rules, context=tuple(map(named, rules.context)), input=tuple(map(named, rules.input)), claimed=claimed
    )


def wall_address(slug: str = "", **query: str) -> str:
    """Return the address of all examples, or of a task's."""
    chosen = {name: value for name, value in query.items() if value}
    path = f"/tasks/{slug}/examples" if slug else "/examples"
    return f"{path}?{urlencode(chosen)}" if chosen else path


def example_address(example_id: str) -> str:
    """Return the address of an example's page."""
    return f"/examples/{example_id}"


def example_card(found: PublicExample, rules: TaskRules | None = None) -> ExampleCard:
    """Return an example as a card. Without the task's rules it shows the context whether or not models read it."""
    context = found.context or {}
    read = context if rules is None else read_context(context, rules)
    return ExampleCard(
        address=example_address(found.example_id),
        context=shortened(" ".join(texts_in(read)), LONGEST_CONTEXT),
        text=shortened(written(found), LONGEST_TEXT),
        people_say=_("People say %(answer)s.", answer=people_say(found)),
        models_said=models_said(found),
        notice=shortened(found.content_notice or "", LONGEST_NOTICE),
        task_slug=found.task_slug,
        task_title=found.task_title or found.task_slug,
        round_id=found.round_id,
        round_number=found.round_number,
        round_title=shortened(found.round_title, LONGEST_ROUND),
        day=day(found.resolved_at),
    )


def written(found: PublicExample) -> str:
    """Return what the author wrote, in one text."""
    return "\n".join(texts_in(found.input))


def read_context(context: Mapping[str, Any], rules: TaskRules) -> dict[str, Any]:
    """Return the part of a context that the models read."""
    read = set(rules.instance.values())
    return {name: value for name, value in context.items() if name in read}


def texts_in(values: Mapping[str, Any]) -> list[str]:
    """Return values that are texts, without blank ones."""
    return [value for value in values.values() if isinstance(value, str) and value.strip()]


def shortened(text: str, longest: int) -> str:
    """Return a text cut at a word, with an ellipsis."""
    if len(text) <= longest:
        return text
    cut = text[: longest + 1]
    return (cut.rpartition(" ")[0] or cut[:longest]).rstrip() + "…"


def people_say(found: PublicExample) -> str:
    """Return the first answer that people agreed on, within a sentence."""
    value = found.golds[0] if found.golds else found.claimed
    return in_sentence(value, labels_of(found))


def labels_of(found: PublicExample) -> frozenset[str]:
    """Return the labels that models gave probabilities of; none where they answer with texts."""
    return frozenset(label for answer in found.answers for label in answer.probabilities or ())


def in_sentence(value: Value | None, labels: frozenset[str] = frozenset()) -> str:
    """Return a value within a sentence: labels as names, everything else in quotation marks."""
    if isinstance(value, Mapping):
        return _quoted(str(value.get("text") or value.get("alt") or ""))
    if isinstance(value, str):
        return isolation.name(value) if value in labels else _quoted(value)
    return isolation.names(value or ()) or _("none")


def models_said(found: PublicExample) -> str:
    """Return the wrong answers with their confidence, for example "Both models said negative (91 %, 87 %)."."""
    asked = [each for each in found.answers if each.value is not None]
    by_answer: dict[str, list[PublicTargetAnswer]] = {}
    for each in asked:
        if each.wrong and each.value is not None:
            by_answer.setdefault(to_text(each.value), []).append(each)
    labels = labels_of(found)
    return Markup(" ").join(_some_said(same, len(asked), labels) for same in by_answer.values())


def fooled_words(found: PublicExample) -> str:
    """Return whom the example fooled, as the heading of its page."""
    asked = sum(each.value is not None for each in found.answers)
    wrong = sum(each.wrong is True for each in found.answers)
    if not wrong:
        return _("A confirmed example")
    if wrong < asked:
        return _("An example that fooled %(wrong)s of %(models)s models", wrong=wrong, models=asked)
    if wrong == 1:
        return _("An example that fooled the model")
    return (
        _("An example that fooled both models")
        if wrong == 2
        else _("An example that fooled all %(models)s models", models=wrong)
    )


def _some_said(same: Sequence[PublicTargetAnswer], asked: int, labels: frozenset[str]) -> str:
    answer, shares = in_sentence(same[0].value, labels), _shares(same)
    if shares:
        answer = _("%(answer)s (%(shares)s)", answer=answer, shares=shares)
    if len(same) < asked:
        return _(
            "%(some)s of %(models)s models said %(answer)s.", some=len(same), models=asked, answer=answer
        )
    if asked == 1:
        return _("The model said %(answer)s.", answer=answer)
    if asked == 2:
        return _("Both models said %(answer)s.", answer=answer)
    return _("All %(models)s models said %(answer)s.", models=asked, answer=answer)


def _shares(same: Sequence[PublicTargetAnswer]) -> str:
    known = [confidence for each in same if (confidence := confidence_of(each)) is not None]
    return ", ".join(percent(each, 0) for each in known) if len(known) == len(same) else ""


def confidence_of(answer: PublicTargetAnswer) -> float | None:
    """Return how sure a model was of its answer, if that is known."""
    if answer.confidence is not None or not isinstance(answer.value, str):
        return answer.confidence
    return (answer.probabilities or {}).get(answer.value)


def _quoted(text: str) -> str:
    return Markup("“{}”").format(isolation.text(text))
