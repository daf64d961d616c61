"""The port to the search for near duplicates, as a protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from dynabench_tasks.near_duplicates import Shingles
from dynabench_tasks.values import Value

from annotation.domain.identifiers import ExampleId, PersonId, RoundId


@dataclass(frozen=True)
class WrittenExample:
    """What somebody wrote in an example, as near duplicates are told."""

    example_id: ExampleId
    author_id: PersonId
    input: Mapping[str, Value]


class Signatures(Protocol):
    """What finds examples by the likeness of their texts."""

    def add_all(self, round_id: RoundId, shingles: Mapping[ExampleId, Shingles]) -> None:
        """Make examples findable by what their authors wrote."""

    def find_candidates(self, round_id: RoundId, shingles: Shingles) -> list[WrittenExample]:
        """Return examples of a round that are probably near duplicates, newest first, without retracted ones."""
