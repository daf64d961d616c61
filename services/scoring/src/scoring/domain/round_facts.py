"""Known facts about one round, from the event log: task, state, segments and configurations."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dynabench_tasks.fields import FIELD_TYPES

from scoring.dataset.rows import Field, Fields
from scoring.domain.task_rules import DEFAULT_RULES, TaskRules


@dataclass(frozen=True)
class RoundFacts:
    """A round with every configuration of its task by version, the newest one whole, and segments by number.

    `digests` are the model digests that each target had in any segment. `was_public_at_once` if anybody could read
    validated errors of the round before its release.
    """

    round_id: UUID
    task_id: UUID
    task_slug: str
    task_title: str
    number: int
    title: str
    targets: tuple[str, ...]
    origin: str
    source: str
    state: str
    rules: Mapping[int, TaskRules]
    configuration: Mapping[str, Any]
    segments: Mapping[UUID, int]
    digests: Mapping[str, tuple[str, ...]]
    was_public_at_once: bool = False

    def rules_of(self, configuration_version: int) -> TaskRules:
        """Return the rules that an example was made under, the defaults while they are not known."""
        return self.rules.get(configuration_version, DEFAULT_RULES)

    @property
    def newest_rules(self) -> TaskRules:
        """Return the rules of the newest configuration."""
        return self.rules_of(max(self.rules, default=0))

    def fields(self, *, with_free_text: bool = False) -> Fields:
        """Return every field that an example of the round may have; a newer configuration states its type.

        Without free text, metadata fields of free text are left out.
        """
        newest_first = [self.rules[version] for version in sorted(self.rules, reverse=True)]
        metadata = _united(rules.metadata for rules in newest_first)
        return Fields(
            _united(rules.context for rules in newest_first),
            _united(rules.input for rules in newest_first),
            self.newest_rules.label,
            tuple(
                field
                for field in metadata
                if with_free_text or not FIELD_TYPES[field.type_name].holds_free_text
            ),
            with_free_text,
            has_tiers=any(rules.has_tiers for rules in newest_first),
        )

    @property
    def dataset_name(self) -> str:
        """Return the name that a dataset of this round has in addresses."""
        return f"{self.task_slug}-round-{self.number}"


def _united(lists: Iterable[tuple[Field, ...]]) -> tuple[Field, ...]:
    found: dict[str, Field] = {}
    for fields in lists:
        for field in fields:
            found.setdefault(field.name, field)
    return tuple(found.values())
