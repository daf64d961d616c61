"""Dataset rules in a version of a task's configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.task_configuration import PublicExamples, TaskConfiguration
from dynabench_tasks.fields import Field as TaskField
from dynabench_tasks.validated_error import GoldPolicy

from scoring.dataset.rows import Field

NO_CLAIM = Field("label", "string")


@dataclass(frozen=True, slots=True)
class TaskRules:
    """The parts of a configuration that datasets depend on.

    `label` is the field that is both input and output: the claim. `input` has the other input fields. `metadata` are
    the authors' additional statements. `configuration` is the whole of it, None for the defaults.
    """

    context: tuple[Field, ...] = ()
    input: tuple[Field, ...] = ()
    metadata: tuple[Field, ...] = ()
    label: Field = NO_CLAIM
    labels: tuple[str, ...] = ()
    gold: GoldPolicy = GoldPolicy.AUTHOR_CONFIRMED
    validates_all: bool = False
    has_tiers: bool = False
    public_examples: PublicExamples = PublicExamples.AFTER_RELEASE
    configuration: TaskConfiguration | None = field(default=None, compare=False, repr=False)


DEFAULT_RULES = TaskRules()


def read_rules(document: Mapping[str, Any]) -> TaskRules:
    """Read the rules out of a published configuration. Raises ConfigurationError."""
    configuration = read_published(document)
    fields, claimed = configuration.fields, configuration.claimed_field
    return TaskRules(
        context=tuple(map(_field, fields.context)),
        input=tuple(map(_field, fields.written)),
        metadata=tuple(_field(each.field) for each in configuration.create_metadata),
        label=_field(claimed),
        labels=claimed.labels,
        gold=GoldPolicy(configuration.validation.gold),
        validates_all=configuration.validation.validate == "all",
        has_tiers=bool(configuration.tiers),
        public_examples=configuration.public_examples,
        configuration=configuration,
    )


def _field(field: TaskField) -> Field:
    return Field(field.name, field.type_name)
