"""A task as data: what people start from, write and claim, and what counts as fooling a target."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from annotation.domain.configuration.section import (
    ConfigurationError,
    Section,
    refuse_twice,
    unknown,
    wrong_kind,
)
from annotation.domain.configuration.validation_rules import ValidationRules, read_validation_rules
from annotation.domain.context_policies import CONTEXT_POLICIES, ContextPolicy
from annotation.domain.fields import Field, check_values, read_field
from annotation.domain.fields.multiclass import MulticlassField
from annotation.domain.verdict import Ensemble
from annotation.domain.wrong_when import WrongRule, read_wrong_rule

MOST_FIELDS = 20
MOST_TARGETS = 8


@dataclass(frozen=True)
class Condition:
    """An arm of an experiment, drawn for each assignment with this weight among all arms."""

    name: str
    weight: float


@dataclass(frozen=True)
class Quotas:
    """Most tries of one person, on one context and in one round; None means any number."""

    tries_per_context: int | None = None
    tries_per_person: int | None = None


@dataclass(frozen=True)
class TaskConfiguration:
    """One version of a task's configuration, checked as a whole."""

    slug: str
    title: str
    description: str
    languages: tuple[str, ...]
    instructions: str
    content_warning: str
    context: tuple[Field, ...]
    input: tuple[Field, ...]
    output: tuple[Field, ...]
    wrong_when: WrongRule
    ensemble: Ensemble
    context_policy: ContextPolicy
    conditions: tuple[Condition, ...]
    quotas: Quotas
    validation: ValidationRules
    explanations: str
    probes: str

    @cached_property
    def claimed_field(self) -> MulticlassField:
        """Return the field whose label the author claims: it stands in input and output."""
        return claimed_field_of(self.input, self.output)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels that a person can claim and a target must answer with."""
        return self.claimed_field.labels

    def check_input(self, values: Mapping[str, object]) -> tuple[dict[str, str], str]:
        """Return what the author wrote, without the claimed label, and that label. Raises InputRefused."""
        checked = check_values(self.input, values, "input")
        label = checked.pop(self.claimed_field.name)
        return checked, label

    def is_wrong(self, claimed_label: str, answered_label: str) -> bool:
        """Tell whether a target that answers this is wrong by the task's rule."""
        name = self.claimed_field.name
        return self.wrong_when.is_wrong({name: claimed_label}, {name: answered_label})

    def document(self) -> Mapping[str, object]:
        """Return the configuration with the keys of its YAML and all defaults filled in."""
        quotas = {name: limit for name, limit in vars(self.quotas).items() if limit is not None}
        return {
            "slug": self.slug,
            "title": self.title,
            "description": self.description,
            "languages": list(self.languages),
            "instructions": self.instructions,
            "content_warning": self.content_warning,
            "context": [field.document() for field in self.context],
            "input": [field.document() for field in self.input],
            "output": [field.document() for field in self.output],
            "wrong_when": self.wrong_when.document(),
            "ensemble": self.ensemble.document(),
            "contexts": {"policy": self.context_policy.name},
            "conditions": [{"name": arm.name, "weight": arm.weight} for arm in self.conditions],
            "quotas": quotas,
            "validation": self.validation.document(),
            "explanations": self.explanations,
            "probes": self.probes,
        }


def read_task_configuration(document: object) -> TaskConfiguration:
    """Return the configuration that a parsed document describes.

    Raises ConfigurationError for the first thing in it that can't be used.
    """
    section = Section(document, "")
    context, inputs, output = _read_fields(section)
    claimed = claimed_field_of(inputs, output)
    contexts = section.section("contexts")
    return section.finish(
        TaskConfiguration(
            slug=_read_slug(section),
            title=section.text("title", 200),
            description=section.text("description", 2_000, default=""),
            languages=section.texts("languages", 35, 50),
            instructions=section.text("instructions", 20_000, default=""),
            content_warning=section.text("content_warning", 2_000, default=""),
            context=context,
            input=inputs,
            output=output,
            wrong_when=read_wrong_rule(section.section("wrong_when"), (claimed.name,)),
            ensemble=_read_ensemble(section),
            context_policy=contexts.finish(
                CONTEXT_POLICIES[contexts.choice("policy", CONTEXT_POLICIES.names, "least_used")]
            ),
            conditions=_read_conditions(section),
            quotas=_read_quotas(section.section("quotas")),
            validation=read_validation_rules(section.section("validation"), claimed.labels),
            explanations=section.choice("explanations", ("optional",), "optional"),
            probes=section.choice("probes", ("none", "counted"), "none"),
        )
    )


def claimed_field_of(inputs: tuple[Field, ...], outputs: tuple[Field, ...]) -> MulticlassField:
    """Return the one label field in both lists. Raises ConfigurationError."""
    names = {field.name for field in inputs}
    shared = [field for field in outputs if field.name in names]
    if len(shared) != 1 or len(outputs) != 1:
        raise ConfigurationError(
            "output", "is not one field that stands in input too", "Name the claimed label in both lists."
        )
    mine = next(field for field in inputs if field.name == shared[0].name)
    if not isinstance(mine, MulticlassField) or not isinstance(shared[0], MulticlassField):
        raise ConfigurationError("output[0].type", "is no label", "Make the claimed field `multiclass`.")
    if set(mine.labels) != set(shared[0].labels):
        raise ConfigurationError("output[0].labels", "differ from the input's", "Give both the same labels.")
    return mine


def _read_fields(section: Section) -> tuple[tuple[Field, ...], tuple[Field, ...], tuple[Field, ...]]:
    context, inputs, outputs = (
        tuple(read_field(field) for field in section.sections(key, 1, MOST_FIELDS))
        for key in ("context", "input", "output")
    )
    refuse_twice([field.name for field in context], "context")
    refuse_twice([field.name for field in inputs], "input")
    refuse_twice([field.name for field in outputs], "output")
    for position, field in enumerate(inputs):
        if field.name in {other.name for other in context}:
            raise ConfigurationError(
                f"input[{position}].name", f"repeats the context's {field.name!r}", "Give it another name."
            )
    return context, inputs, outputs


def _read_slug(section: Section) -> str:
    slug = section.text("slug", 40)
    words = slug.split("-")
    if slug != slug.lower() or not slug.isascii() or not all(word.isalnum() for word in words):
        raise ConfigurationError(
            "slug", f"is {slug!r}", "Use lower-case letters and digits in words joined by hyphens."
        )
    return slug


def _read_ensemble(section: Section) -> Ensemble:
    value = section.take("ensemble", "any")
    if isinstance(value, dict):
        inner = section.section("ensemble")
        return inner.finish(Ensemble(inner.whole("at_least", 1, MOST_TARGETS)))
    if value not in ("any", "all"):
        if isinstance(value, str):
            raise unknown(value, ("any", "all"), "ensemble", f"is {value[:50]!r}, which is not known")
        raise wrong_kind(value, "ensemble", "`any`, `all` or `at_least: 2`")
    return Ensemble(1 if value == "any" else None)


def _read_conditions(section: Section) -> tuple[Condition, ...]:
    if "conditions" not in section:
        section.take("conditions")
        return (Condition("default", 1.0),)
    arms = tuple(
        arm.finish(Condition(arm.text("name", 40), arm.number("weight", 0.001, 1_000, 1)))
        for arm in section.sections("conditions", 1, 20)
    )
    refuse_twice([arm.name for arm in arms], "conditions")
    return arms


def _read_quotas(section: Section) -> Quotas:
    return section.finish(
        Quotas(
            section.whole_if_given("tries_per_context", 1, 1_000_000),
            section.whole_if_given("tries_per_person", 1, 1_000_000),
        )
    )
