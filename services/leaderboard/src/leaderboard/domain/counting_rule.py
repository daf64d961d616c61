"""Rules of counting in a version of a task's configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.fields.string import StringField
from dynabench_tasks.validated_error import ErrorRule, GoldPolicy, error_rule
from dynabench_tasks.verdict import Ensemble
from dynabench_tasks.wrong_when.exact_match import ExactMatch


@dataclass(frozen=True, slots=True)
class CountingRule:
    """The parts of a configuration that change a count."""

    errors: ErrorRule
    validates_all: bool = False

    def labels_in(self, value: str) -> tuple[str, ...]:
        """Return the labels that a value text of the claimed field names; none where no labels are claimed."""
        return self.errors.claimed.labels_in(value)


UNTIL_KNOWN = ErrorRule(
    GoldPolicy.AUTHOR_CONFIRMED, Ensemble(), ExactMatch(("label",)), StringField("label", "label")
)
"""Under author-confirmed gold the stored verdicts and judgements decide, so no rule of the task is needed."""
DEFAULT_RULE = CountingRule(UNTIL_KNOWN)
"""By what an example is counted until its configuration is known."""


def counting_rule(document: Mapping[str, Any]) -> CountingRule:
    """Read the rule out of a published configuration. Raises UnknownKind, ConfigurationError."""
    configuration = read_published(document)
    return CountingRule(error_rule(configuration), configuration.validation.validate == "all")
