"""Every request of the SDK has the names of its operation, and every result the fields of its answers."""

import pkgutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import dynabench_client.results
import pytest
from dynabench_client.results.accounts import SignedIn
from dynabench_client.results.base import Empty, Result
from dynabench_client.results.configuration import ImageContent
from dynabench_client.results.gateway import ModelName

from tests.contract.reading import Reading, readings
from tests.contract.shapes import Shapes, fields_of, options_of, resolved
from tests.published import contracts, document_of

WRONG_NAMES = (
    "Additional properties",
    "is a required property",
    "is missing",
    "no query parameter",
    "a body where none",
)
MADE_HERE = {SignedIn, ModelName, ImageContent}
"""Results that the SDK makes of others: with a cookie, of a name alone, of a file."""


def declared(reading: Reading) -> dict[str, Mapping[str, Any]]:
    """Return what is declared for each success of the operation that is asked."""
    operation = contracts()[reading.service].operation(reading.method, reading.path)
    assert operation is not None, (
        f"{reading.caller} asks {reading.method} {reading.path}, which is not published"
    )
    answers = document_of(reading.service)["paths"][operation.path][reading.method.lower()]["responses"]
    return {status: answer for status, answer in answers.items() if status[0] in "23" and status != "304"}


def records(reading: Reading) -> Iterator[Mapping[str, Any]]:
    """Yield the schema of each record that the operation may answer."""
    for answer in declared(reading).values():
        schema = resolved(answer["content"]["application/json"]["schema"], document_of(reading.service))
        yield from options_of(schema)


@cache
def shapes() -> Shapes:
    """Gather what every result is read from.

    Where several methods read an operation differently, each record is that of the result which is most like it.
    """
    asked: dict[tuple[str, str, str], list[Reading]] = defaultdict(list)
    for reading in readings():
        if reading.result is not None and reading.result is not Empty:
            asked[reading.service, reading.method, reading.path].append(reading)
    gathered = Shapes()
    for alike in asked.values():
        results = {reading.result for reading in alike if reading.result is not None}
        for record in records(alike[0]):
            names = set(record.get("properties", {}))
            gathered.add(max(results, key=lambda each: len(names & set(fields_of(each)))), record)
    return gathered


def every_result() -> set[type[Result]]:
    """Return all results that the SDK defines."""
    found: set[type[Result]] = set()
    for module in pkgutil.iter_modules(dynabench_client.results.__path__):
        for value in vars(import_module(f"dynabench_client.results.{module.name}")).values():
            if (
                isinstance(value, type)
                and issubclass(value, Result)
                and value.__module__.endswith(module.name)
            ):
                found.add(value)
    return found


@pytest.mark.parametrize("result", shapes().results, ids=lambda each: each.__name__)
def test_a_result_is_what_the_services_say(result: type[Result]) -> None:
    assert shapes().differences(result) == []


def test_every_request_of_the_sdk_is_published_with_its_names() -> None:
    """Values are not looked at: they are samples here."""
    for reading in readings():
        assert declared(reading), f"{reading.caller}: nothing is declared"
        operation = contracts()[reading.service].operation(reading.method, reading.path)
        assert operation is not None
        breaches = operation.breaches_of_request(reading.asked)
        wrong = [each for each in breaches if any(words in each for words in WRONG_NAMES)]
        assert wrong == [], f"{reading.caller}: {wrong}"


def test_every_result_is_compared() -> None:
    compared = set(shapes().results)
    bases = {base for result in compared for base in result.__mro__}
    assert {each.__name__ for each in every_result() - compared - bases - MADE_HERE - {Empty}} == set()
