"""Every request of the SDK has the names of its operation, and every result is the record that the operation answers.

Services and the SDK share the records of `dynabench_api`, so the fields agree. Only the choice of the record can
differ.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from dynabench_client.results.base import Empty, Result, Whole
from dynabench_client.results.datasets import Measurements
from dynabench_client.results.validation import Lease

from tests.contract.reading import Reading, readings
from tests.contract.shapes import options_of, resolved
from tests.published import contracts, document_of

WRONG_NAMES = (
    "Additional properties",
    "is a required property",
    "is missing",
    "no query parameter",
    "a body where none",
)
MERGED = (Lease, Measurements)
"""Results that the SDK makes of one of several records."""


@cache
def every_reading() -> tuple[Reading, ...]:
    """Return every reading, once."""
    return tuple(readings())


def declared(reading: Reading) -> dict[str, Mapping[str, Any]]:
    """Return the declared success answers of the requested operation."""
    operation = contracts()[reading.service].operation(reading.method, reading.path)
    assert operation is not None, (
        f"{reading.caller} asks {reading.method} {reading.path}, which is not published"
    )
    answers = document_of(reading.service)["paths"][operation.path][reading.method.lower()]["responses"]
    return {status: answer for status, answer in answers.items() if status[0] in "23" and status != "304"}


def records(reading: Reading) -> Iterator[Mapping[str, Any]]:
    """Yield the schema of each record that the operation may answer."""
    for answer in declared(reading).values():
        schema = answer["content"]["application/json"]["schema"]
        whole = resolved(schema, document_of(reading.service), keep_titles=True)
        yield from options_of(whole)


def name_of(result: type[Result]) -> str:
    """Return the name of a result's record, or of the one from which the SDK derives it."""
    return next(each.__name__ for each in result.__mro__ if each.__module__.startswith("dynabench_api."))


def is_read_as_answered(result: type[Result], record: Mapping[str, Any]) -> bool:
    """Return whether a result is the answered record, or a list of the record's items."""
    generic = result.__pydantic_generic_metadata__
    if generic["args"]:
        items = record["properties"]["items"]["items"]
        is_whole = generic["origin"] is Whole or "next_cursor" in record["properties"]
        return bool(is_whole and items["title"] == name_of(generic["args"][0]))
    return bool(record["title"] == name_of(result))


def flaws_of_merged(result: type[Result], options: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the fields of only the result or only the records, or required though a record may omit them."""
    listed = list(options)
    fields = {field.alias or name: field for name, field in result.model_fields.items()}
    yield from set(fields) ^ {name for record in listed for name in record["properties"]}
    always = set.intersection(*(set(record["required"]) for record in listed))
    yield from (name for name, field in fields.items() if field.is_required() != (name in always))


def test_every_result_is_a_record_that_the_service_answers() -> None:
    for reading in every_reading():
        if reading.result is None or reading.result is Empty:
            continue
        options = list(records(reading))
        where = f"{reading.caller}: {reading.result.__name__}"
        if reading.result in MERGED:
            assert list(flaws_of_merged(reading.result, options)) == [], where
        else:
            assert any(is_read_as_answered(reading.result, record) for record in options), where


def test_every_request_of_the_sdk_is_published_with_its_names() -> None:
    """Values are not compared: they are samples."""
    for reading in every_reading():
        assert declared(reading), f"{reading.caller}: nothing is declared"
        operation = contracts()[reading.service].operation(reading.method, reading.path)
        assert operation is not None
        breaches = operation.breaches_of_request(reading.asked)
        wrong = [each for each in breaches if any(words in each for words in WRONG_NAMES)]
        assert wrong == [], f"{reading.caller}: {wrong}"
