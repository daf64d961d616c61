"""Reading a whole task configuration from a parsed document."""

from dynabench_tasks.configuration.conditions import read_conditions
from dynabench_tasks.configuration.fields_section import read_fields, read_instance
from dynabench_tasks.configuration.goal import read_goal
from dynabench_tasks.configuration.metadata import FLAG, VERDICTS, read_metadata
from dynabench_tasks.configuration.metric_choice import read_metric_choice
from dynabench_tasks.configuration.section import (
    ConfigurationError,
    Section,
    UnknownKind,
    kind_of,
    told,
    unknown,
    wrong_kind,
)
from dynabench_tasks.configuration.task_configuration import (
    MOST_TARGETS,
    REQUIRED_WHEN_FOOLED,
    Quotas,
    TaskConfiguration,
)
from dynabench_tasks.configuration.validation_rules import read_validation_rules
from dynabench_tasks.configuration.worked_examples import read_worked_examples
from dynabench_tasks.context_policies import CONTEXT_POLICIES, ContextPolicy
from dynabench_tasks.verdict import Ensemble
from dynabench_tasks.wrong_when import read_wrong_rule

MOST_TRIES = 1_000_000


def read_task_configuration(document: object) -> TaskConfiguration:
    """Return the configuration that a parsed document describes.

    Raises ConfigurationError for the first thing in it that can't be used.
    """
    section = Section(document, "")
    fields = read_fields(section)
    validation = read_validation_rules(section.section("validation"), fields.claimed)
    metadata = section.section("metadata")
    claims = {"claimed": fields.claimed.labels} if fields.claimed.labels else {}
    create = read_metadata(metadata, "create", {"verdict": VERDICTS, **claims}, fields.texts)
    validate = read_metadata(metadata, "validate", {"vote": (*validation.vote_options, FLAG)}, fields.texts)
    metadata.finish(None)
    return section.finish(
        TaskConfiguration(
            slug=_read_slug(section),
            title=section.text("title", 200),
            description=section.text("description", 2_000, default=""),
            languages=section.texts("languages", 35, 50),
            instructions=section.text("instructions", 20_000, default=""),
            content_warning=section.text("content_warning", 2_000, default=""),
            worked_examples=read_worked_examples(section, fields.context, fields.input),
            fields=fields,
            create_metadata=create,
            validate_metadata=validate,
            instance_fields=read_instance(section, fields),
            goal=read_goal(section.section("goal"), fields.claimed),
            wrong_when=read_wrong_rule(section.take("wrong_when"), "wrong_when", fields.claimed),
            ensemble=_read_ensemble(section),
            context_policy=_read_policy(section.section("contexts")),
            conditions=read_conditions(section),
            metrics=read_metric_choice(section.section("metrics"), fields.claimed.type_name),
            quotas=_read_quotas(section.section("quotas")),
            validation=validation,
            explanations=section.choice("explanations", ("optional", REQUIRED_WHEN_FOOLED), "optional"),
            probes=section.choice("probes", ("none", "counted"), "none"),
            margin_hint=section.flag("margin_hint"),
            perturbations=section.flag("perturbations"),
        )
    )


def _read_slug(section: Section) -> str:
    slug = section.text("slug", 40)
    words = slug.split("-")
    if slug != slug.lower() or not slug.isascii() or not all(word.isalnum() for word in words):
        raise ConfigurationError(
            "slug", f"is {slug!r}", "Use lower-case letters and digits in words joined by hyphens."
        )
    return slug


def _read_policy(section: Section) -> ContextPolicy:
    given = section.take("policy", "least_used")
    name = kind_of(given, section.at("policy"), CONTEXT_POLICIES.names, "context policy")
    return section.finish(CONTEXT_POLICIES[name])


def _read_ensemble(section: Section) -> Ensemble:
    value = section.take("ensemble", "any")
    if isinstance(value, dict):
        inner = section.section("ensemble")
        return inner.finish(Ensemble(inner.whole("at_least", 1, MOST_TARGETS)))
    if value not in ("any", "all"):
        if isinstance(value, str):
            error = unknown(value, ("any", "all"), "ensemble", f"is {value[:50]!r}, which is not known")
            raise UnknownKind(*told(error), "ensemble", value)
        raise wrong_kind(value, "ensemble", "`any`, `all` or `at_least: 2`")
    return Ensemble(1 if value == "any" else None)


def _read_quotas(section: Section) -> Quotas:
    return section.finish(
        Quotas(
            section.whole_if_given("tries_per_context", 1, MOST_TRIES),
            section.whole_if_given("tries_per_person", 1, MOST_TRIES),
        )
    )
