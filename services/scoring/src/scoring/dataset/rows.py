"""One example as a dataset holds it, and its line in a JSONL file.

People stand in it under pseudonyms alone: whoever makes rows has hashed their ids before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dynabench_tasks.values import Value

SPLITS = ("train", "dev", "test")
TIMES_ASKED = 3
"""How often a target is asked again about each of its validated errors."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a task's context, input, metadata or claim, with its type as configurations name it."""

    name: str
    type_name: str


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that examples of a round may have, in the order of the configuration.

    `has_free_text` tells whether explanations stand in rows, and metadata that is free text; `has_retracted` whether
    examples do that their authors withdrew; `has_tiers` whether there are targets that were not asked about every try,
    `has_stability` whether validated errors were asked again.
    """

    context: tuple[Field, ...]
    input: tuple[Field, ...]
    label: Field
    metadata: tuple[Field, ...] = ()
    has_free_text: bool = False
    has_retracted: bool = False
    has_tiers: bool = False
    has_stability: bool = False


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """What one target answered: None, and not known to be wrong, if it gave no answer in time or was not asked."""

    name: str
    answer: Value | None
    wrong: bool | None


class CountedVote(NamedTuple):
    """A vote that counted: the answer as a value text, or `flag`; `voter` is a pseudonym."""

    option: str
    voter: str | None


class Stability(NamedTuple):
    """Whether a validated error of a target came again each time that it was asked at the release.

    `repeated` is how often of `TIMES_ASKED`; both None where the target was no longer served or did not answer.
    """

    name: str
    stable: bool | None
    repeated: int | None

    @classmethod
    def of(cls, name: str, repeated: int | None) -> "Stability":
        """Return what a number of repetitions says."""
        return cls(name, None if repeated is None else repeated == TIMES_ASKED, repeated)


class Explanations(NamedTuple):
    """Why the label is right, and why the model was, or might have been, fooled; empty if nobody said."""

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
    stands as one that did not fool. `retracted` is None in a dataset, which has no such examples; in an export it tells
    whether the author withdrew the example, of which then nothing stands that anybody wrote, and `fooled` is not True.
    `targets_not_asked` are targets that were not asked, since one of an earlier tier was right; None without tiers.
    `stability` tells of each target of which the example is a validated error; None where nobody asked again.
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
    votes: tuple[CountedVote, ...]
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


class MeasuredRow(NamedTuple):
    """What measurements need of an example; of `golds`, which may be value texts, only whether there are any."""

    example_id: str
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    label: Value | None
    golds: Sequence[Value]
    claimed: Value | None
    author: str | None


def to_json(row: ExampleRow) -> dict[str, Any]:
    """Return the row as the object of its JSONL line; without explanations, or `retracted`, it has no such key."""
    explained = {} if row.explanations is None else {"explanations": row.explanations._asdict()}
    return {
        "id": row.example_id,
        "context": dict(row.context),
        "input": dict(row.input),
        "label": row.label,
        "golds": list(row.golds),
        "claimed": row.claimed,
        "split": row.split,
        "verdict": row.verdict,
        "fooled": row.fooled,
        "targets": {given.name: given.answer for given in row.targets},
        "target_wrong": {given.name: given.wrong for given in row.targets},
        "resolution": row.resolution,
        "votes": [{"option": vote.option, "voter": vote.voter} for vote in row.votes],
        "metadata": dict(row.metadata),
        **explained,
        "condition": row.condition,
        "cohort": row.cohort,
        "segment": row.segment,
        "tags": list(row.tags),
        "author": row.author,
        "created_at": row.created_at.astimezone(UTC).isoformat(),
        "duplicate_of": row.duplicate_of,
        **({} if row.retracted is None else {"retracted": row.retracted}),
        **_stability(row.stability),
        **({} if row.targets_not_asked is None else {"targets_not_asked": list(row.targets_not_asked)}),
    }


def from_json(line: Mapping[str, Any]) -> ExampleRow:
    """Return the row of an object that `to_json` made."""
    answers: Mapping[str, Value | None] = line["targets"]
    explanations: Mapping[str, str] | None = line.get("explanations")
    votes: Sequence[Mapping[str, Any]] = line["votes"]
    unasked: Sequence[str] | None = line.get("targets_not_asked")
    return ExampleRow(
        example_id=line["id"],
        context=line["context"],
        input=line["input"],
        label=line["label"],
        golds=tuple(line["golds"]),
        claimed=line["claimed"],
        split=line["split"],
        verdict=line["verdict"],
        fooled=line["fooled"],
        targets=tuple(
            TargetAnswer(name, answer, line["target_wrong"][name]) for name, answer in answers.items()
        ),
        resolution=line["resolution"],
        votes=tuple(CountedVote(vote["option"], vote["voter"]) for vote in votes),
        metadata=line["metadata"],
        explanations=None if explanations is None else Explanations(**explanations),
        condition=line["condition"],
        cohort=line["cohort"],
        segment=line["segment"],
        tags=tuple(line["tags"]),
        author=line["author"],
        created_at=datetime.fromisoformat(line["created_at"]),
        duplicate_of=line.get("duplicate_of"),
        retracted=line.get("retracted"),
        targets_not_asked=None if unasked is None else tuple(unasked),
        stability=_read_stability(line),
    )


def _stability(stability: Sequence[Stability] | None) -> dict[str, Any]:
    if stability is None:
        return {}
    return {
        "target_stable": {each.name: each.stable for each in stability},
        "target_repeated": {each.name: each.repeated for each in stability},
    }


def _read_stability(line: Mapping[str, Any]) -> tuple[Stability, ...] | None:
    stable: Mapping[str, bool | None] | None = line.get("target_stable")
    if stable is None:
        return None
    return tuple(Stability(name, each, line["target_repeated"][name]) for name, each in stable.items())
