"""Batches of records: what stands twice in one, what is stored already, and one that is empty."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from annotation.domain.provenance import Pseudonyms
from annotation.domain.record import RecordReader
from annotation.service_layer.record_batch import Batch, RecordsUnusable, read_batch
from dynabench_tasks.configuration.yaml_text import read_configuration
from dynabench_tasks.json_lines import Line

CONFIGURATION = read_configuration((Path(__file__).parents[1] / "sentiment.yaml").read_text())
READER = RecordReader(CONFIGURATION, ("alpha", "beta"), Pseudonyms(b"k" * 32), datetime.now(UTC))


def record(**changes: Any) -> dict[str, Any]:
    return {"id": "r1", "context": {"prompt": "A prompt."}, "input": {"text": "What a queue."}, **changes}


def batch(*documents: object) -> Batch:
    return read_batch([Line(11 + n, each) for n, each in enumerate(documents)], READER.read)


def test_a_record_that_stands_twice_is_taken_once() -> None:
    found = batch(record(), record(id="r2"), dict(reversed(record().items())))
    assert ([*found.records], found.source_ids, found.repeated) == ([11, 12], ("r1", "r2"), 1)


def test_an_id_that_stands_twice_with_other_content_is_refused() -> None:
    with pytest.raises(RecordsUnusable) as caught:
        batch(record(), record(id="r2"), record(tags=["other"]), record(id="r2", tags=["other"]), "no")
    errors = [(each.line, each.field, each.reason) for each in caught.value.errors]
    assert errors == [
        (13, "id", "is that of line 11, which has other content"),
        (14, "id", "is that of line 12, which has other content"),
        (15, "line", "is not a JSON object"),
    ]


def test_what_is_stored_is_passed_over_and_what_differs_from_it_refused() -> None:
    found = batch(record(), record(id="r2"))
    digests = {record.provenance.source_id: record.provenance.digest for record in found.records.values()}

    assert found.without({}) == found
    left = found.without({"r1": digests["r1"]})
    assert (left.source_ids, left.repeated) == (("r2",), 1)
    with pytest.raises(RecordsUnusable) as caught:
        found.without({"r2": b"other"})
    assert [(each.line, each.field) for each in caught.value.errors] == [(12, "id")]


@pytest.mark.parametrize("lines", [[], ()])
def test_a_batch_without_records_is_refused(lines: Sequence[Line]) -> None:
    with pytest.raises(RecordsUnusable) as caught:
        read_batch(lines, READER.read)
    assert caught.value.errors[0].reason == "holds no records"
