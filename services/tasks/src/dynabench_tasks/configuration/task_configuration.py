"""A task as data: its contexts, its inputs and claims, and the rule for fooling a target."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from dynabench_tasks.configuration.conditions import Condition
from dynabench_tasks.configuration.fields_section import TaskFields
from dynabench_tasks.configuration.goal import Goal
from dynabench_tasks.configuration.metadata import Circumstances, MetadataField, check_metadata
from dynabench_tasks.configuration.metric_choice import MetricChoice, metrics_of
from dynabench_tasks.configuration.next_round import NextRound
from dynabench_tasks.configuration.onboarding import Onboarding
from dynabench_tasks.configuration.practice import PracticeItem
from dynabench_tasks.configuration.validation_rules import ValidationRules
from dynabench_tasks.configuration.worked_examples import WorkedExample
from dynabench_tasks.context_policies import ContextPolicy
from dynabench_tasks.fields import Field, InputRefused, check_values, texts_of
from dynabench_tasks.text_f1 import TextF1
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Ensemble
from dynabench_tasks.wrong_when import WrongRule

REQUIRED_WHEN_FOOLED = "required_when_fooled"
TEXT_F1 = "text_f1"
MOST_TARGETS = 8


class PublicExamples(StrEnum):
    """Times from which anybody may read a validated error.

    At once means as soon as it is confirmed; a round with such examples is released without dev and test.
    """

    AT_ONCE = "at_once"
    AFTER_RELEASE = "after_release"
    NEVER = "never"


class TaskAccess(StrEnum):
    """The people who see a task: everybody, or only its owners, its members and administrators."""

    EVERYBODY = "everybody"
    INVITED = "invited"


@dataclass(frozen=True)
class Quotas:
    """Most tries of one person, on one context and in one round; None means any number."""

    tries_per_context: int | None = None
    tries_per_person: int | None = None

    def document(self) -> Mapping[str, int]:
        """Return the limits that are set."""
        return {name: limit for name, limit in vars(self).items() if limit is not None}


@dataclass(frozen=True)
class TaskConfiguration:
    """One version of a task's configuration, checked as a whole.

    `instance` maps each text field of a model's instance to the field of the task that fills it. Of `tiers` each names
    targets that are asked only when all of those before were fooled; none: all are asked at once.
    """

    slug: str
    title: str
    description: str
    languages: tuple[str, ...]
    instructions: str
    content_warning: str
    break_after_minutes: int | None
    worked_examples: tuple[WorkedExample, ...]
    practice: tuple[PracticeItem, ...]
    onboarding: Onboarding | None
    tips: tuple[str, ...]
    fields: TaskFields
    create_metadata: tuple[MetadataField, ...]
    validate_metadata: tuple[MetadataField, ...]
    instance_fields: Mapping[str, str]
    goal: Goal
    next_round: NextRound
    wrong_when: WrongRule
    ensemble: Ensemble
    tiers: tuple[tuple[str, ...], ...]
    context_policy: ContextPolicy
    conditions: tuple[Condition, ...]
    metrics: MetricChoice
    quotas: Quotas
    validation: ValidationRules
    explanations: str
    probes: str
    margin_hint: bool
    perturbations: bool
    public_examples: PublicExamples
    access: TaskAccess

    @property
    def claimed_field(self) -> Field:
        """Return the field whose value the author claims: it stands in input and output."""
        return self.fields.claimed

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels that a person can claim and a target must answer with; none for spans and texts."""
        return self.claimed_field.labels

    @property
    def depends_on_context(self) -> bool:
        """Return whether the input can be judged only together with its context.

        It does not depend on it if models read the input alone, people mark nothing in the context, and the context is
        text.
        """
        names = {field.name for field in self.fields.context}
        return bool(names & self._names_in_use) or not all(field.is_text for field in self.fields.context)

    @property
    def _names_in_use(self) -> set[str]:
        """Return the names of the texts that models read or that people mark parts of."""
        return {*self.instance_fields.values(), *(getattr(field, "of", "") for field in self.fields.input)}

    @property
    def performance_metrics(self) -> tuple[str, ...]:
        """Return the metrics of the claim's type; text F1 only where the task names that rule."""
        is_named = self.metrics.primary == TEXT_F1 or isinstance(self.wrong_when.likeness, TextF1)
        fitting = metrics_of(self.claimed_field.type_name)
        return tuple(name for name in fitting if name != TEXT_F1 or is_named)

    def condition(self, name: str) -> Condition:
        """Return the arm of that name; one that an earlier version had is like the default."""
        return next((arm for arm in self.conditions if arm.name == name), Condition(name))

    def check_context(self, values: Mapping[str, object], path: str) -> dict[str, Value]:
        """Return the fields of a context, checked. Raises InputRefused."""
        return check_values(self.fields.context, values, path)

    def check_read_context(self, values: Mapping[str, object], path: str) -> dict[str, Value]:
        """Return the given fields of a context, checked; only those in use must be there. Raises InputRefused."""
        wanted = self._names_in_use | set(values)
        return check_values(
            tuple(field for field in self.fields.context if field.name in wanted), values, path
        )

    def check_input(
        self, values: Mapping[str, object], context: Mapping[str, Value]
    ) -> tuple[dict[str, Value], Value]:
        """Return the author's input without the claim, and the claim. Raises InputRefused."""
        other_texts = texts_of(self.fields.context, context)
        checked = check_values(self.fields.input, values, "input", other_texts)
        claimed = checked.pop(self.claimed_field.name)
        return checked, claimed

    def check_written(self, values: Mapping[str, object], context: Mapping[str, Value]) -> dict[str, Value]:
        """Return the input of a person who claims nothing; a submitted claim is dropped. Raises InputRefused."""
        written = {name: value for name, value in values.items() if name != self.claimed_field.name}
        return check_values(self.fields.written, written, "input", texts_of(self.fields.context, context))

    def texts(self, context: Mapping[str, Value], written: Mapping[str, Value]) -> dict[str, str]:
        """Return the texts of all string fields of context and input."""
        return {**texts_of(self.fields.context, context), **texts_of(self.fields.input, written)}

    def instance(self, context: Mapping[str, Value], written: Mapping[str, Value]) -> dict[str, str]:
        """Return what a model is sent: never the claim."""
        texts = self.texts(context, written)
        return {name: texts[source] for name, source in self.instance_fields.items()}

    def check_assigned(self, claimed: Value, assigned_label: str) -> None:
        """Raise InputRefused unless the claim is the label that the author was given, if they were given one."""
        if self.goal.assigns_label and assigned_label and claimed != assigned_label:
            raise InputRefused(
                f"input.{self.claimed_field.name}",
                f"is {claimed!r}, and you were given {assigned_label!r}",
                f"Write for {assigned_label!r}, or ask for another context.",
            )

    def check_create_metadata(
        self,
        given: Mapping[str, object],
        circumstances: Circumstances,
        texts: Mapping[str, str],
    ) -> dict[str, Value]:
        """Return the author's metadata, checked. Raises InputRefused."""
        return check_metadata(self.create_metadata, given, circumstances, texts)

    def document(self) -> Mapping[str, object]:
        """Return the configuration with the keys of its YAML and all defaults filled in."""
        return {
            "slug": self.slug,
            "title": self.title,
            "description": self.description,
            "languages": list(self.languages),
            "instructions": self.instructions,
            "content_warning": self.content_warning,
            **({} if self.break_after_minutes is None else {"break_after_minutes": self.break_after_minutes}),
            "worked_examples": [example.document() for example in self.worked_examples],
            **({"practice": [item.document() for item in self.practice]} if self.practice else {}),
            **({"onboarding": self.onboarding.document()} if self.onboarding else {}),
            **({"tips": list(self.tips)} if self.tips else {}),
            "context": [field.document() for field in self.fields.context],
            "input": [field.document() for field in self.fields.input],
            "output": [field.document() for field in self.fields.output],
            "metadata": {
                "create": [field.document() for field in self.create_metadata],
                "validate": [field.document() for field in self.validate_metadata],
            },
            "instance": dict(self.instance_fields),
            "goal": self.goal.document(),
            **({} if self.next_round == NextRound() else {"next_round": self.next_round.document()}),
            "wrong_when": self.wrong_when.document(),
            "ensemble": self.ensemble.document(),
            **({"tiers": [{"targets": list(tier)} for tier in self.tiers]} if self.tiers else {}),
            "contexts": {"policy": self.context_policy.name},
            "conditions": [arm.document() for arm in self.conditions],
            "metrics": self.metrics.document(),
            "quotas": self.quotas.document(),
            "validation": self.validation.document(),
            "explanations": self.explanations,
            "probes": self.probes,
            "margin_hint": self.margin_hint,
            "perturbations": self.perturbations,
            **(
                {}
                if self.public_examples is PublicExamples.AFTER_RELEASE
                else {"public_examples": self.public_examples.value}
            ),
            **({} if self.access is TaskAccess.EVERYBODY else {"access": self.access.value}),
        }
