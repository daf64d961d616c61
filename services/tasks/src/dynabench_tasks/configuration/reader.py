"""Reading of a whole task configuration from a parsed document: first its shape, then its consistency.

The JSON Schema of configurations follows from the same shapes.
"""

import re
from collections.abc import Callable
from typing import Any

from dynabench_tasks.configuration.conditions import CONDITIONS, make_conditions
from dynabench_tasks.configuration.field_lists import FieldList, FieldLists
from dynabench_tasks.configuration.fields_section import (
    CONTEXT,
    INPUT,
    INSTANCE,
    OUTPUT,
    TaskFields,
    check_fields,
    make_instance,
)
from dynabench_tasks.configuration.goal import GOAL, make_goal
from dynabench_tasks.configuration.judging import ENSEMBLE, WRONG_WHEN, make_ensemble, make_wrong_rule
from dynabench_tasks.configuration.metadata import FLAG, METADATA, VERDICTS, make_metadata
from dynabench_tasks.configuration.metric_choice import METRIC_CHOICE, make_metric_choice
from dynabench_tasks.configuration.nested_shapes import Key, Keys, Texts
from dynabench_tasks.configuration.next_round import NEXT_ROUND, make_next_round
from dynabench_tasks.configuration.onboarding import ONBOARDING, make_onboarding
from dynabench_tasks.configuration.practice import PRACTICE, make_practice
from dynabench_tasks.configuration.problems import INVALID, EnoughProblems, Reading
from dynabench_tasks.configuration.shapes import Flag, Schema, Text, Whole, Word
from dynabench_tasks.configuration.task_configuration import (
    REQUIRED_WHEN_FOOLED,
    PublicExamples,
    Quotas,
    TaskAccess,
    TaskConfiguration,
)
from dynabench_tasks.configuration.tiers import TIERS, make_tiers
from dynabench_tasks.configuration.validation_rules import VALIDATION, make_validation_rules
from dynabench_tasks.configuration.worked_examples import WORKED_EXAMPLES, make_worked_examples
from dynabench_tasks.context_policies import CONTEXT_POLICIES, ContextPolicy, UnknownContextPolicy

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TRIES = Key(Whole(1, 1_000_000), None)
_SLUG = Text(
    40,
    pattern=re.compile("[a-z0-9]+(-[a-z0-9]+)*"),
    remedy="Use lower-case letters and digits in words joined by hyphens.",
)
TASK = Keys(
    {
        "slug": Key(_SLUG),
        "title": Key(Text(200)),
        "description": Key(Text(2_000, may_be_blank=True), ""),
        "languages": Key(Texts(Text(35), 1, 50)),
        "instructions": Key(Text(20_000, may_be_blank=True), "", "Markdown"),
        "content_warning": Key(Text(2_000, may_be_blank=True), ""),
        "break_after_minutes": Key(
            Whole(0, 480), None, "Minutes of work after which pages propose a break; 0 for never"
        ),
        "worked_examples": Key(WORKED_EXAMPLES, ()),
        "practice": Key(PRACTICE, (), "What newcomers answer before they write their first own text"),
        "onboarding": Key(ONBOARDING, None, "What people agree to and answer before they may work"),
        "tips": Key(
            Texts(Text(300), 0, 12), (), "Advice for people who ask how to fool a model of this task"
        ),
        "context": CONTEXT,
        "input": INPUT,
        "output": OUTPUT,
        "metadata": Key(METADATA, {}),
        "instance": INSTANCE,
        "goal": Key(GOAL, {}),
        "next_round": Key(NEXT_ROUND, {}, "How the next round comes about once one is released"),
        "wrong_when": Key(WRONG_WHEN),
        "ensemble": Key(ENSEMBLE, ("any", None)),
        "tiers": Key(TIERS, (), "Targets that are asked first, and those asked only about what fooled these"),
        "contexts": Key(
            Keys({"policy": Key(Word(CONTEXT_POLICIES.names, "context policy", is_kept=True), "least_used")}),
            {},
        ),
        "conditions": Key(CONDITIONS, None),
        "metrics": Key(METRIC_CHOICE, {}),
        "quotas": Key(Keys({"tries_per_context": _TRIES, "tries_per_person": _TRIES}), {}),
        "validation": Key(VALIDATION, {}),
        "explanations": Key(Word(("optional", REQUIRED_WHEN_FOOLED), "rule for explanations"), "optional"),
        "probes": Key(Word(("none", "counted"), "rule for probes"), "none"),
        "margin_hint": Key(Flag(), False),
        "perturbations": Key(Flag(), False),
        "public_examples": Key(
            Word(tuple(each.value for each in PublicExamples), "time for public examples"),
            PublicExamples.AFTER_RELEASE.value,
            "When anybody may read validated errors",
        ),
        "access": Key(
            Word(tuple(each.value for each in TaskAccess), "choice of who sees the task"),
            TaskAccess.EVERYBODY.value,
            "Who sees the task: everybody, or only owners, members and administrators (`invited`)",
        ),
    }
)


def configuration_schema(address: str) -> Schema:
    """Return the JSON Schema of task configurations; `address` is where it is published.

    It says what a document may contain, for editors and for people who generate YAML by program. Only the reader checks
    rules that need the whole document: references between fields, and labels that must agree.
    """
    return {"$schema": DIALECT, "$id": address, "title": "Dynabench task configuration", **TASK.schema()}


def read_task_configuration(
    document: object, *, note: Callable[[str], None] | None = None
) -> TaskConfiguration:
    """Return the configuration that a parsed document describes.

    With `note`, unknown keys are ignored and `note` is called with their paths. Raises ConfigurationError with all
    problems.
    """
    reading = Reading(note)
    try:
        given = TASK.read(document, (), reading)
        made = None if given is INVALID else _Parts(given, reading).configuration()
    except EnoughProblems:
        made = None
    if made is None or reading.problems:
        raise reading.fail(document)
    return made


class _Parts:
    """The parts of a document after its shape was read, to be checked against each other and put together.

    An unusable part is INVALID, and nothing that depends on it is reported as wrong.
    """

    def __init__(self, given: dict[str, Any], reading: Reading) -> None:
        self._given = given
        self._reading = reading
        lists = (FieldList.of((key,), given[key]) for key in ("context", "input", "output"))
        self._fields = FieldLists(*lists)
        self._claimed = check_fields(self._fields, reading)

    def configuration(self) -> TaskConfiguration | None:
        """Return the configuration, None if something in it can't be used."""
        given, fields, reading = self._given, self._fields, self._reading
        claimed = self._claimed
        validation = self._make("validation", make_validation_rules, claimed)
        labels = claimed.labels if claimed is not None else None
        votes = (*validation.vote_options, FLAG) if validation is not None else None
        create = self._metadata(
            "create", {"verdict": VERDICTS, **({} if labels is None else {"claimed": labels})}
        )
        validate = self._metadata("validate", {} if votes is None else {"vote": votes})
        examples = self._make("worked_examples", make_worked_examples, fields, claimed)
        practice = self._make("practice", make_practice, fields, claimed)
        onboarding = self._make("onboarding", make_onboarding)
        instance = self._make("instance", make_instance, fields, claimed)
        goal = self._make("goal", make_goal, claimed)
        following = self._make("next_round", make_next_round)
        rule = self._make("wrong_when", make_wrong_rule, claimed, given["languages"])
        arms = self._make("conditions", make_conditions)
        ensemble = None if given["ensemble"] is INVALID else make_ensemble(given["ensemble"])
        tiers = self._make("tiers", make_tiers, ensemble, rule)
        metrics = self._make("metrics", make_metric_choice, claimed)
        if reading.problems or claimed is None or ensemble is None:
            return None
        if rule.likeness is not None:
            claimed = claimed.compared_by(rule.likeness)
        return TaskConfiguration(
            **{name: given[name] for name in _AS_GIVEN},
            worked_examples=examples,
            practice=practice,
            onboarding=onboarding,
            fields=TaskFields(fields.context.whole, fields.inputs.whole, fields.outputs.whole, claimed),
            create_metadata=create,
            validate_metadata=validate,
            instance_fields=instance,
            goal=goal,
            next_round=following,
            wrong_when=rule,
            ensemble=ensemble,
            tiers=tiers,
            context_policy=_policy_of(given["contexts"]["policy"]),
            conditions=arms,
            metrics=metrics,
            quotas=Quotas(**given["quotas"]),
            validation=validation,
            public_examples=PublicExamples(given["public_examples"]),
            access=TaskAccess(given["access"]),
        )

    def _make(self, key: str, make: Callable[..., Any], *others: object) -> Any:
        """Return the result of `make` for a part and the parts `others`; None if the part can't be used at all."""
        if self._given[key] is INVALID:
            return None
        return make(self._given[key], (key,), *others, self._reading)

    def _metadata(self, key: str, known: dict[str, Any]) -> Any:
        metadata = self._given["metadata"]
        if metadata is INVALID or metadata[key] is INVALID:
            return ()
        entries = FieldList.of(("metadata", key), metadata[key])
        return make_metadata(entries, known, self._fields, self._reading)


_AS_GIVEN = (
    "slug",
    "title",
    "description",
    "languages",
    "instructions",
    "content_warning",
    "break_after_minutes",
    "tips",
    "explanations",
    "probes",
    "margin_hint",
    "perturbations",
)


def _policy_of(name: str) -> ContextPolicy:
    return CONTEXT_POLICIES[name] if name in CONTEXT_POLICIES else UnknownContextPolicy(name)
