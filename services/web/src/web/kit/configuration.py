"""A task's configuration as pages need it: its fields, labels and rules, in the words of its owner."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dynabench_client.results.annotation import Task
from dynabench_tasks.fields import FIELD_TYPES, from_text
from dynabench_tasks.fields import Field as TaskField
from dynabench_tasks.fields.labels import Meaning
from dynabench_tasks.values import Value
from markupsafe import Markup

from web.kit.isolation import speak
from web.kit.language import _
from web.kit.markdown import render_markdown

LONGEST_TEXT = 5000
REQUIRED_WHEN_FOOLED = "required_when_fooled"
COUNTED = "counted"
AT_ONCE, AFTER_RELEASE = "at_once", "after_release"
INVITED = "invited"
OfType: TypeAlias = Callable[[type[TaskField]], bool]
"""A property of a field type in the task language."""


@dataclass(frozen=True)
class Field:
    """A field of context, input, output or metadata; `of` names the text that a span marks."""

    name: str
    type: str
    label: str
    max_length: int = LONGEST_TEXT
    labels: tuple[str, ...] = ()
    of: str = ""
    starts_from: str = ""
    meanings: tuple[Meaning, ...] = ()

    def meaning_of(self, label: str) -> Meaning | None:
        """Return what a label means in plain words, if the task says so."""
        return next((each for each in self.meanings if each.label == label), None)

    @property
    def is_free_text(self) -> bool:
        """True if people type any text."""
        return self._means(lambda kind: kind.is_text and kind.holds_free_text)

    @property
    def is_one_label(self) -> bool:
        """True if people choose exactly one of its labels."""
        return bool(self.labels) and self._means(lambda kind: kind.is_text)

    @property
    def is_marked(self) -> bool:
        """True if people mark a part of a text."""
        return bool(self.of) and self._means(lambda kind: kind.can_be_claimed)

    def _means(self, says: OfType) -> bool:
        """Return whether the type has the property; False for a type that this version does not know."""
        return self.type in FIELD_TYPES.names and says(FIELD_TYPES[self.type])

    def value_of(self, text: str) -> Value:
        """Return the value that a value text stands for; the text itself where it stands for none."""
        try:
            return from_text(text, self.type) if self.type in FIELD_TYPES.names else text
        except ValueError:
            return text


@dataclass(frozen=True)
class MetadataField:
    """An additional field, shown when all of its conditions are true.

    `words` maps a kind of condition (`verdict`, `claimed` or `vote`) to the words that fulfil it.
    """

    field: Field
    is_optional: bool
    words: Mapping[str, tuple[str, ...]]
    from_round: int

    def is_asked(self, circumstances: Mapping[str, frozenset[str]], round_number: int) -> bool:
        """Return whether the field is asked for; a kind that is not in `circumstances` fails no field."""
        return round_number >= self.from_round and all(
            circumstances[kind] & set(words) for kind, words in self.words.items() if kind in circumstances
        )


@dataclass(frozen=True)
class WorkedExample:
    """An example that the owner made to show what is wanted."""

    context: Mapping[str, Value]
    input: Mapping[str, Value]
    why: str


BREAK_MINUTES = 30
"""Minutes of work after which a task with a content notice proposes a break, unless it says otherwise."""


@dataclass(frozen=True)
class TaskRules:
    """A configuration, read leniently: what an older or newer version lacks has a default.

    `hidden_arms` are the conditions in which people write without seeing the context; `instance` maps a model's
    fields to those of the task. `ensemble` is the name of a rule, or how many targets must be wrong at least;
    `checkers` is how many people check a fooling text at least; `trained` are the activities with a training.
    """

    slug: str
    title: str
    context: tuple[Field, ...]
    input: tuple[Field, ...]
    claimed: Field | None
    options: tuple[str, ...]
    create_metadata: tuple[MetadataField, ...]
    validate_metadata: tuple[MetadataField, ...]
    goal: str
    assigns_label: bool
    ensemble: str | int
    checkers: int
    instructions: Markup
    content_warning: str
    break_after_minutes: int
    worked_examples: tuple[WorkedExample, ...]
    tips: tuple[str, ...]
    has_practice: bool
    trained: frozenset[str]
    needs_reason: bool
    counts_probes: bool
    margin_hint: bool
    perturbations: bool
    hidden_arms: frozenset[str]
    instance: Mapping[str, str]
    public_examples: str
    is_private: bool

    def makes_public(self, round_state: str) -> bool:
        """Return whether confirmed examples of a round in this state are public."""
        is_released = round_state == "released"
        return self.public_examples == AT_ONCE or (is_released and self.public_examples == AFTER_RELEASE)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that can be claimed; none where a text or a span is."""
        return self.claimed.labels if self.claimed else ()

    @property
    def written(self) -> tuple[Field, ...]:
        """The fields of the input without the claim: what targets may read."""
        return tuple(each for each in self.input if each != self.claimed)

    @property
    def input_name(self) -> str:
        """A name for the input: that of its only text field, else `input`."""
        texts = [each.name for each in self.written if each.is_free_text]
        return texts[0].replace("_", " ") if len(texts) == 1 else _("input")

    def rule(self, targets: int) -> str:
        """Return when the targets together count as fooled, in a sentence."""
        if targets < 2:
            return ""
        if isinstance(self.ensemble, int):
            return _(
                "You win if at least %(wrong)s of the %(targets)s models are wrong.",
                wrong=self.ensemble,
                targets=targets,
            )
        known = {
            "any": _("You win if at least one of the %(targets)s models is wrong.", targets=targets),
            "all": _("You win if all %(targets)s models are wrong.", targets=targets),
        }
        return known.get(self.ensemble) or f"{self.ensemble} of {targets}"

    def field(self, name: str) -> Field:
        """Return the field of context or input with that name; for one that is gone, a text of that name."""
        known = (*self.context, *self.input, *(each.field for each in self.create_metadata))
        return next((each for each in known if each.name == name), Field(name, "string", name.capitalize()))


def task_rules(task: Task) -> TaskRules:
    """Return what pages need of the task's configuration."""
    speak(task.languages)
    return rules_of(task.configuration, task.slug, task.title)


def rules_of(document: Mapping[str, Any], slug: str, title: str = "") -> TaskRules:
    """Return what pages need of a configuration document."""
    inputs = _fields(document.get("input"))
    outputs = {each.name for each in _fields(document.get("output"))}
    claimed = next((each for each in inputs if each.name in outputs), None)
    validation = _mapping(document.get("validation"))
    goal, metadata = _mapping(document.get("goal")), _mapping(document.get("metadata"))
    return TaskRules(
        slug=slug,
        title=title or str(document.get("title") or slug),
        context=_fields(document.get("context")),
        input=inputs,
        claimed=claimed,
        options=tuple(validation.get("options") or (claimed.labels if claimed else ())),
        create_metadata=metadata_fields(metadata.get("create")),
        validate_metadata=metadata_fields(metadata.get("validate")),
        goal=str(goal.get("message") or ""),
        assigns_label=goal.get("label") == "assigned",
        ensemble=_ensemble(document.get("ensemble")),
        checkers=_checkers(validation.get("policy")),
        instructions=render_markdown(str(document.get("instructions") or "")),
        content_warning=str(document.get("content_warning") or ""),
        break_after_minutes=_break_minutes(document),
        worked_examples=tuple(
            WorkedExample(
                _mapping(each.get("context")), _mapping(each.get("input")), str(each.get("why") or "")
            )
            for each in document.get("worked_examples") or ()
        ),
        tips=tuple(map(str, document.get("tips") or ())),
        has_practice=bool(document.get("practice")),
        trained=_trained(document.get("onboarding")),
        needs_reason=document.get("explanations") == REQUIRED_WHEN_FOOLED,
        counts_probes=document.get("probes") == COUNTED,
        margin_hint=bool(document.get("margin_hint")),
        perturbations=bool(document.get("perturbations")),
        hidden_arms=frozenset(
            str(arm.get("name")) for arm in document.get("conditions") or () if arm.get("context") == "hidden"
        ),
        instance={str(name): str(source) for name, source in _mapping(document.get("instance")).items()},
        public_examples=str(document.get("public_examples") or AFTER_RELEASE),
        is_private=document.get("access") == INVITED,
    )


def _break_minutes(document: Mapping[str, Any]) -> int:
    given = document.get("break_after_minutes")
    usual = BREAK_MINUTES if document.get("content_warning") else 0
    return given if isinstance(given, int) else usual


def metadata_fields(documents: Iterable[Mapping[str, Any]] | None) -> tuple[MetadataField, ...]:
    """Return the fields of a list of `metadata`."""
    found = []
    for document in documents or ():
        when = _mapping(document.get("when"))
        words = {
            kind: tuple(map(str, values)) for kind, values in when.items() if isinstance(values, list | tuple)
        }
        found.append(
            MetadataField(
                _field(document), bool(document.get("optional")), words, int(when.get("from_round") or 1)
            )
        )
    return tuple(found)


def _fields(documents: Iterable[Mapping[str, Any]] | None) -> tuple[Field, ...]:
    return tuple(_field(document) for document in documents or ())


def _field(document: Mapping[str, Any]) -> Field:
    name = str(document.get("name", ""))
    return Field(
        name=name,
        type=str(document.get("type", "string")),
        label=str(document.get("label") or name.capitalize()),
        max_length=int(document.get("max_length") or LONGEST_TEXT),
        labels=tuple(map(str, document.get("labels") or ())),
        of=str(document.get("of") or ""),
        starts_from=str(document.get("starts_from") or ""),
        meanings=tuple(
            Meaning(str(label), str(meaning.get("words") or ""), str(meaning.get("example") or ""))
            for label, meaning in _mapping(document.get("meanings")).items()
            if isinstance(meaning, Mapping)
        ),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _trained(onboarding: object) -> frozenset[str]:
    return frozenset() if onboarding is None else frozenset(_mapping(onboarding).get("activities") or ())


def _ensemble(rule: object) -> str | int:
    if isinstance(rule, Mapping):
        return int(rule.get("at_least", 1))
    return str(rule or "any")


def _checkers(policy: object) -> int:
    """Return the fewest people who check a text: those who must agree, or all that a fixed policy asks."""
    rule = _mapping(policy)
    adaptive, fixed = _mapping(rule.get("adaptive")), _mapping(rule.get("fixed"))
    return int(adaptive.get("agree") or fixed.get("votes") or 2)
