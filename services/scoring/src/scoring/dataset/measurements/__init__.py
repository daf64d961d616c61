"""Measurements of a dataset or of an open round: properties of its texts and labels, and artefacts in them.

Rows are read once, some of them twice. Each module states its use of memory.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from scoring.dataset.measurements.associations import Associations
from scoring.dataset.measurements.counts import Authors, LabelBalance, Lengths, Overlap
from scoring.dataset.measurements.input_only_baseline import InputOnlyBaseline
from scoring.dataset.measurements.near_duplicates import NearDuplicates
from scoring.dataset.measurements.reading import Reader, Row
from scoring.dataset.measurements.vocabulary import Vocabulary
from scoring.dataset.rows import Fields


def measure(rows: Iterable[Row], fields: Fields, labels: Sequence[str]) -> dict[str, Any]:
    """Return every measurement of these rows as JSON.

    `rows` may be iterated more than once and are the same each time; `labels` are those of the newest configuration.
    """
    reader = Reader(fields)
    balance, lengths, vocabulary = LabelBalance(labels), Lengths(), Vocabulary()
    overlap, authors, associations, duplicates = Overlap(), Authors(), Associations(), NearDuplicates()
    examples = 0
    for batch in reader.read(rows):
        examples += len(batch)
        for part in (balance, lengths, vocabulary, overlap, authors, associations, duplicates):
            part.add(batch)
    duplicates.choose()
    associations.choose()
    baseline = InputOnlyBaseline(fields, examples)
    if baseline.is_asked or duplicates.is_asked or associations.is_asked:
        for batch in reader.read(rows):
            baseline.add(batch)
            duplicates.add_texts(batch)
            associations.add_authors(batch)
    return {
        "examples": examples,
        "label_balance": balance.as_json(),
        "lengths": lengths.as_json(),
        "vocabulary": vocabulary.as_json(),
        "near_duplicates": duplicates.as_json(),
        "overlap": overlap.as_json(),
        "authors": authors.as_json(),
        "associations": associations.as_json(),
        "associations_reason": associations.reason(),
        "input_only_baseline": baseline.as_json(),
    }
