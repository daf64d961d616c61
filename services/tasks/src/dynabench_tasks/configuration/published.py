"""Reading configurations that annotation has published: checked when their owner put them in force."""

from collections.abc import Callable, Mapping

from dynabench_tasks.configuration.fields_section import TaskFields
from dynabench_tasks.configuration.goal import Goal
from dynabench_tasks.configuration.metadata import MetadataField
from dynabench_tasks.configuration.metric_choice import read_metric_choice
from dynabench_tasks.configuration.reader import _read_ensemble
from dynabench_tasks.configuration.section import ConfigurationError, Made, Section
from dynabench_tasks.configuration.task_configuration import Quotas, TaskConfiguration
from dynabench_tasks.configuration.validation_rules import read_validation_rules
from dynabench_tasks.context_policies import CONTEXT_POLICIES
from dynabench_tasks.fields import Field, read_field
from dynabench_tasks.fields.string import StringField
from dynabench_tasks.wrong_when import read_wrong_rule
from dynabench_tasks.wrong_when.exact_match import ExactMatch


class _Lenient(Section):
    """A section whose unknown keys are passed over."""

    def finish(self, made: Made) -> Made:
        """Return `made`."""
        return made


def read_published(
    document: Mapping[str, object],
    *,
    note: Callable[[str], None] | None = None,  # noqa: ARG001
) -> TaskConfiguration:
    """Return the configuration that a published document describes. Raises ConfigurationError."""
    section = _Lenient(document, "")
    context, inputs, outputs = (_fields(section, key) for key in ("context", "input", "output"))
    written = {field.name for field in inputs}
    claimed = next((field for field in outputs if field.name in written), None)
    if claimed is None:
        raise ConfigurationError(
            "output", "shares no field with the input", "Name the claimed field in both lists."
        )
    metadata = section.section("metadata")
    return TaskConfiguration(
        slug=str(document.get("slug", "")),
        title=str(document.get("title", "")),
        description="",
        languages=(),
        instructions="",
        content_warning="",
        worked_examples=(),
        fields=TaskFields(context, inputs, outputs, claimed),
        create_metadata=_metadata(metadata, "create"),
        validate_metadata=_metadata(metadata, "validate"),
        instance_fields={},
        goal=Goal(),
        wrong_when=read_wrong_rule(document["wrong_when"], "wrong_when", claimed)
        if document.get("wrong_when")
        else ExactMatch((claimed.name,)),
        ensemble=_read_ensemble(section),
        context_policy=CONTEXT_POLICIES["least_used"],
        conditions=(),
        metrics=read_metric_choice(Section({}, ""), claimed.type_name),
        quotas=Quotas(),
        validation=read_validation_rules(_Lenient(document.get("validation") or {}, "validation"), claimed),
        explanations="optional",
        probes="none",
        margin_hint=False,
        perturbations=False,
    )


def _fields(section: Section, key: str) -> tuple[Field, ...]:
    return tuple(_field(entry) for entry in section.sections(key, 0, 100)) if key in section else ()


def _field(entry: Section) -> Field:
    is_optional = entry.flag("optional")
    field = read_field(entry)
    if isinstance(field, StringField) and is_optional:
        from dataclasses import replace

        return replace(field, is_optional=True)
    return field


def _metadata(section: Section, key: str) -> tuple[MetadataField, ...]:
    if key not in section:
        return ()
    found = []
    for entry in section.sections(key, 0, 100):
        is_optional = entry.flag("optional")
        when = entry.section("when")
        words = {kind: when.texts(kind, 60, 100) for kind in ("verdict", "claimed", "vote") if kind in when}
        found.append(
            MetadataField(read_field(entry), is_optional, words, when.whole("from_round", 1, 10_000, 1))
        )
    return tuple(found)
