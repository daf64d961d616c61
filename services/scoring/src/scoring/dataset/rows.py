"""One example as a row of a dataset, and its line in a JSONL file.

People appear only under pseudonyms: the caller has hashed their ids.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from dynabench_tasks.values import Value

SPLITS = ("train", "dev", "test")
DISPUTED = "disputed"
"""The split of its own for examples on which people did not agree; none has a label."""
TIMES_ASKED = 3
"""Number of repeated questions to a target about each of its validated errors."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a task's context, input, metadata or claim, with its type as configurations name it."""

    name: str
    type_name: str


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that examples of a round may have, in the order of the configuration.

    The flags mark a kind of content: `has_free_text` explanations and free-text metadata, `has_retracted` withdrawn or
    hidden examples. `has_tiers` marks targets that did not get every try, `has_stability` repeated calls about
    validated errors. `targets` are the names of all targets that answered.
    """

    context: tuple[Field, ...]
    input: tuple[Field, ...]
    label: Field
    metadata: tuple[Field, ...] = ()
    has_free_text: bool = False
    has_retracted: bool = False
    has_tiers: bool = False
    has_stability: bool = False
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """Answer of one target: None, and not known to be wrong, if it gave no answer in time or was not asked.

    `probabilities` by label, `confidence` in this answer, and `digest` of the model are None or empty if not known.
    """

    name: str
    answer: Value | None
    wrong: bool | None
    confidence: float | None = None
    probabilities: Mapping[str, float] | None = None
    digest: str | None = None


class Vote(NamedTuple):
    """A vote: the answer as a value text, `flag` or `unsure`; `voter` is a pseudonym.

    `seconds` run from lease to vote. `agrees` and `corrected`, a value text, are the voter's later judgement of the
    claim. `reason` of a flag and `explanation` are free text, None where that is left out.
    """

    option: str
    voter: str | None
    cast_at: datetime | None = None
    seconds: float | None = None
    agrees: bool | None = None
    corrected: str | None = None
    reason: str | None = None
    explanation: str | None = None


class Stability(NamedTuple):
    """Repetition of a target's validated error in the repeated calls at the release.

    `repeated` is the number of errors among `TIMES_ASKED` calls. Both are None if the target was no longer served or
    did not answer.
    """

    name: str
    stable: bool | None
    repeated: int | None

    @classmethod
    def of(cls, name: str, repeated: int | None) -> "Stability":
        """Return the stability that follows from a number of repetitions."""
        return cls(name, None if repeated is None else repeated == TIMES_ASKED, repeated)


class Explanations(NamedTuple):
    """Reasons why the label is right, and why the model was, or might have been, fooled; empty if nobody gave any."""

    label: str
    model: str


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """An example of a dataset.

    `label` is the gold, or the author's claim where no vote was asked for; `golds` are all answers that stand as gold,
    none without a resolution. `resolution` is None for an example that was not validated. `split` is None in an
    export of a round in progress. `segment` is its number within the round; `author` is None if nobody is known to
    have written the example. `fooled` is None where no verdict could be given. `explanations` is None where free text
    is left out. `duplicate_of` is the id of an earlier example of the round that fooled with an equal text; such a row
    counts as one that did not fool. `retracted` is None in a dataset, which has no such examples. In an export it
    marks withdrawn and hidden examples: these have no texts, and a withdrawn one did not fool.
    `targets_not_asked` are targets that were not asked, since one of an earlier tier was right; None without tiers.
    `stability` has an entry for each target that the example is a validated error of; None without repeated calls.
    `uncounted_votes` came after the resolution, too fast, or were unsure. `source_id` is the id of an imported record
    in its collection. Facts that the log did not yet keep when the example was stored are None.
    """

    example_id: str
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    label: Value | None
    golds: tuple[Value, ...]
    claimed: Value | None
    split: str | None
    verdict: str
    fooled: bool | None
    targets: tuple[TargetAnswer, ...]
    resolution: str | None
    votes: tuple[Vote, ...]
    metadata: Mapping[str, Value]
    explanations: Explanations | None
    condition: str
    cohort: str
    segment: int | None
    tags: tuple[str, ...]
    author: str | None
    created_at: datetime
    duplicate_of: str | None = None
    retracted: bool | None = None
    targets_not_asked: tuple[str, ...] | None = None
    stability: tuple[Stability, ...] | None = None
    uncounted_votes: tuple[Vote, ...] = ()
    context_id: str | None = None
    attempt: int | None = None
    assigned_label: str | None = None
    seconds_since_context: float | None = None
    probes_before: int | None = None
    inspections_before: int | None = None
    perturbation_of: str | None = None
    source_id: str | None = None


def image_ids(row: ExampleRow, fields: Fields) -> Iterator[str]:
    """Yield the ids of the pictures that the row names."""
    for values, members in (
        (row.context, fields.context),
        (row.input, fields.input),
        (row.metadata, fields.metadata),
    ):
        for field in members:
            value = values.get(field.name)
            if field.type_name == "image" and isinstance(value, Mapping):
                yield str(value["image_id"])


class MeasuredRow(NamedTuple):
    """Part of an example that measurements need. Of `golds`, which may be value texts, only their presence matters."""

    example_id: str
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    label: Value | None
    golds: Sequence[Value]
    claimed: Value | None
    author: str | None


class ScoredRow(NamedTuple):
    """Part of an example that the scoring of models needs."""

    example_id: str
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    label: Value | None
    golds: tuple[Value, ...]
    split: str | None
    tags: tuple[str, ...]


def from_json(line: Mapping[str, Any]) -> ScoredRow:
    """Return what scoring needs of a line of any release."""
    return ScoredRow(
        line["id"],
        {name: value for name, value in line["context"].items() if value is not None},
        {name: value for name, value in line["input"].items() if value is not None},
        line["label"],
        tuple(line["golds"]),
        line["split"],
        tuple(line["tags"]),
    )
