"""The port to the search for near duplicates, as a protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from dynabench_tasks.near_duplicates import Shingles
from dynabench_tasks.values import Value

from annotation.domain.identifiers import ExampleId, PersonId, RoundId


@dataclass(frozen=True)
class WrittenExample:
    """The text of an example, as near duplicates are compared."""

    example_id: ExampleId
    author_id: PersonId
    input: Mapping[str, Value]


class Signatures(Protocol):
    """The search for examples with similar texts."""

    def add_all(self, round_id: RoundId, shingles: Mapping[ExampleId, Shingles]) -> None:
        """Make examples findable by what their authors wrote."""

    def find_candidates(self, round_id: RoundId, shingles: Shingles) -> list[WrittenExample]:
        """Return examples of a round that are probably near duplicates, newest first, without retracted ones."""
