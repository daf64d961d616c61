"""The columns of a dataset: one table that Parquet, JSON lines, Croissant and the card are made from.

A type is a scalar, a list of one type, or a structure of named parts. In Parquet, values of a task's fields are value
texts, so that a column has one type in every round of a task; in JSON lines they are values.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any, TypeAlias

from dynabench_tasks.fields import FIELD_TYPES
from dynabench_tasks.values import Value, to_text

from scoring.dataset.rows import TIMES_ASKED, ExampleRow, Field, Fields, TargetAnswer

TEXT, BOOLEAN, INTEGER, NUMBER, MOMENT = "string", "bool", "int32", "float64", "timestamp[us, tz=UTC]"
Type: TypeAlias = "str | Sequence[Type] | Mapping[str, Type]"
VALUE_TYPES: Mapping[str, Type] = {
    "multilabel": [TEXT],
    "span": {"start": INTEGER, "end": INTEGER, "text": TEXT},
    "image": {"image_id": TEXT, "alt": TEXT},
}
"""The types of values that are not texts; a type that is missing here has no fixed parts."""
VOTE: Mapping[str, Type] = {
    "option": TEXT,
    "voter": TEXT,
    "cast_at": MOMENT,
    "seconds": NUMBER,
    "agrees": BOOLEAN,
    "corrected": TEXT,
}
FREE_TEXT_OF_VOTES: Mapping[str, Type] = {"reason": TEXT, "explanation": TEXT}
TARGET: Mapping[str, Type] = {
    "name": TEXT,
    "answer": TEXT,
    "wrong": BOOLEAN,
    "confidence": NUMBER,
    "probabilities": TEXT,
    "digest": TEXT,
}
OF_TARGETS: Mapping[str, tuple[Type, Callable[[TargetAnswer], Any]]] = {
    "target_wrong": (BOOLEAN, lambda given: given.wrong),
    "target_confidence": (NUMBER, lambda given: given.confidence),
    "target_probabilities": (
        [{"label": TEXT, "probability": NUMBER}],
        lambda given: [
            {"label": label, "probability": share}
            for label, share in sorted((given.probabilities or {}).items())
        ],
    ),
    "target_digest": (TEXT, lambda given: given.digest),
}
"""Further values of each target in JSON lines, by its name."""


@dataclass(frozen=True)
class Column:
    """A column of Parquet; structures are read as sequences of their parts. `about` describes it in the card."""

    name: str
    data_type: Type
    about: str
    read: Callable[[ExampleRow], Any]


def columns(fields: Fields) -> Iterator[Column]:
    """Yield every column of Parquet, in order."""
    yield Column("id", TEXT, "id of the example", lambda row: row.example_id)
    for part, members in (("context", fields.context), ("input", fields.input)):
        yield from (_field_column(part, field) for field in members)
    yield from VALUES
    yield from shared(fields)
    yield from (_field_column("metadata", field) for field in fields.metadata)


def shared(fields: Fields) -> Iterator[Column]:
    """Yield the columns that Parquet and JSON lines have alike."""
    vote = {**VOTE, **(FREE_TEXT_OF_VOTES if fields.has_free_text else {})}
    yield from PLAIN
    for name, about, read in VOTES:
        yield Column(name, [vote], about, _parts_of(read, len(vote)))
    for is_there, column in (
        (fields.has_free_text, EXPLANATIONS),
        (fields.has_retracted, RETRACTED),
        (fields.has_tiers, TIERS),
        (fields.has_stability, STABILITY),
    ):
        if is_there:
            yield column


def line_types(fields: Fields) -> Mapping[str, Type] | None:
    """Return the types of the keys of a JSON line, None where a field has values without fixed parts."""
    try:
        label = _value_type(fields.label)
        texts = {
            part: {field.name: _value_type(field) for field in members}
            for part, members in (
                ("context", fields.context),
                ("input", fields.input),
                ("metadata", fields.metadata),
            )
            if members
        }
    except KeyError:
        return None
    of_targets = {"targets": label, **{name: part for name, (part, _) in OF_TARGETS.items()}}
    if fields.has_stability:
        of_targets |= {"target_stable": BOOLEAN, "target_repeated": INTEGER}
    return {
        "id": TEXT,
        **texts,
        "label": label,
        "golds": [label],
        "claimed": label,
        **({name: dict.fromkeys(fields.targets, part) for name, part in of_targets.items()} if fields.targets else {}),
        **{column.name: column.data_type for column in shared(fields)},
    }  # fmt: skip


def to_line(row: ExampleRow, fields: Fields) -> dict[str, Any]:
    """Return the row as the object of its JSON line.

    Each line has every key, so that the first lines show all keys; an absent value is null. A withdrawn example has
    no values. An export of a round in progress names only the targets of each row.
    """
    given = {each.name: each for each in row.targets}
    blank = TargetAnswer("", None, None)
    of_each = {name: given.get(name, blank) for name in (*given, *fields.targets)}
    line = {
        "id": row.example_id,
        "context": _filled(row, row.context, fields.context),
        "input": _filled(row, row.input, fields.input),
        "label": row.label,
        "golds": list(row.golds),
        "claimed": row.claimed,
        "targets": {name: each.answer for name, each in of_each.items()},
        **{key: {name: read(each) for name, each in of_each.items()} for key, (_, read) in OF_TARGETS.items()},
        "metadata": _filled(row, row.metadata, fields.metadata),
    }  # fmt: skip
    for column in shared(fields):
        line[column.name] = named(column.data_type, column.read(row))
    if fields.has_stability:
        again = {each.name: each for each in row.stability or ()}
        for key, part in (("target_stable", "stable"), ("target_repeated", "repeated")):
            line[key] = {name: getattr(again.get(name), part, None) for name in of_each}
    return line


def _filled(row: ExampleRow, values: Mapping[str, Value], fields: Sequence[Field]) -> dict[str, Value | None]:
    return {**({} if row.retracted else dict.fromkeys(field.name for field in fields)), **values}


def named(data_type: Type, value: Any) -> Any:
    """Return a value with the parts of its structures by their names."""
    if value is None or isinstance(data_type, str):
        return value
    if isinstance(data_type, Mapping):
        return dict(zip(data_type, value, strict=True))
    return [named(data_type[0], each) for each in value]


def _value_type(field: Field) -> Type:
    return TEXT if FIELD_TYPES[field.type_name].is_text else VALUE_TYPES[field.type_name]


def _text(value: Value | None) -> str | None:
    return None if value is None else to_text(value)


def _field_column(part: str, field: Field) -> Column:
    def read(row: ExampleRow) -> str | None:
        values: Mapping[str, Value] = getattr(row, part)
        return _text(values.get(field.name))

    return Column(f"{part}_{field.name}", TEXT, field.type_name, read)


def _parts_of(
    read: Callable[[ExampleRow], Sequence[Sequence[Any]]], number: int
) -> Callable[[ExampleRow], Any]:
    return lambda row: [each[:number] for each in read(row)]


def _target(given: TargetAnswer) -> tuple[Any, ...]:
    shares = None if given.probabilities is None else to_text(given.probabilities)
    return given.name, _text(given.answer), given.wrong, given.confidence, shares, given.digest


VALUES = (
    Column("label", TEXT, "the gold, or the claim where nobody voted", lambda row: _text(row.label)),
    Column("golds", [TEXT], "every accepted gold", lambda row: [to_text(gold) for gold in row.golds]),
    Column("claimed", TEXT, "what the author claimed", lambda row: _text(row.claimed)),
    Column(
        "targets",
        [TARGET],
        "what each target answered when the example was written, with its confidence, its probabilities as JSON, and "
        "the digest of the model; in JSON lines `targets`, `target_wrong`, `target_confidence`, "
        "`target_probabilities` and `target_digest`, each by name, null for a target that gave no answer or was not "
        "in the loop",
        lambda row: [_target(each) for each in row.targets],
    ),
)
PLAIN = (
    Column("split", TEXT, "train, dev, test or disputed", lambda row: row.split),
    Column("verdict", TEXT, "what the answers came to by the rule of the task", lambda row: row.verdict),
    Column("fooled", BOOLEAN, "whether the verdict is `fooled`; null without one", lambda row: row.fooled),
    Column("resolution", TEXT, "what the votes came to", lambda row: row.resolution),
    Column("condition", TEXT, "arm of the round that the context was drawn in", lambda row: row.condition),
    Column("cohort", TEXT, "kind of author", lambda row: row.cohort),
    Column("segment", INTEGER, "stretch of the round with the same targets", lambda row: row.segment),
    Column("tags", [TEXT], "tags of the context", lambda row: row.tags),
    Column("author", TEXT, "pseudonym, the same within this dataset and in no other", lambda row: row.author),
    Column("created_at", MOMENT, "when the example was stored", lambda row: row.created_at.astimezone(UTC)),
    Column(
        "duplicate_of",
        TEXT,
        "id of an earlier example that fooled with an equal text; the row counts as not fooled",
        lambda row: row.duplicate_of,
    ),
    Column("context_id", TEXT, "id of the context", lambda row: row.context_id),
    Column("attempt", INTEGER, "number of the author's try on the context", lambda row: row.attempt),
    Column("assigned_label", TEXT, "label that the author was asked for", lambda row: row.assigned_label),
    Column(
        "seconds_since_context",
        NUMBER,
        "from the assignment of the context to the try; null for imported records",
        lambda row: row.seconds_since_context,
    ),
    Column("probes_before", INTEGER, "probes of the author in the round before", lambda row: row.probes_before),
    Column(
        "inspections_before",
        INTEGER,
        "inspections of the author in the round before, without explanations of public examples",
        lambda row: row.inspections_before,
    ),
    Column(
        "perturbation_of",
        TEXT,
        "id of the example of which this one is a minimal edit",
        lambda row: row.perturbation_of,
    ),
    Column("source_id", TEXT, "id of an imported record in its collection", lambda row: row.source_id),
)  # fmt: skip
VOTES: Sequence[tuple[str, str, Callable[[ExampleRow], Sequence[Sequence[Any]]]]] = (
    (
        "votes",
        "votes that counted, with their times, the seconds from lease to vote, and what the voter said of the claim "
        "afterwards; `voter` is a pseudonym",
        lambda row: row.votes,
    ),
    (
        "uncounted_votes",
        "votes that did not count: unsure, too fast, or after the resolution",
        lambda row: row.uncounted_votes,
    ),
)
EXPLANATIONS = Column(
    "explanations",
    {"label": TEXT, "model": TEXT},
    "why authors hold the label right and the model fooled, in their words",
    lambda row: row.explanations,
)
RETRACTED = Column(
    "retracted", BOOLEAN, "whether the author withdrew it, or it is hidden", lambda row: row.retracted
)
TIERS = Column(
    "targets_not_asked",
    [TEXT],
    "targets that were not asked, since one of an earlier tier was right",
    lambda row: row.targets_not_asked,
)
STABILITY = Column(
    "stability",
    [{"name": TEXT, "stable": BOOLEAN, "repeated": INTEGER}],
    f"for each target of which the example is a validated error, whether its wrong answer repeated all {TIMES_ASKED} "
    "times, and how often; null: not tried",
    lambda row: row.stability or (),
)
