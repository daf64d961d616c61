"""What holds of every result: nothing that may be missing or null breaks it, and nothing is lost."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import dynabench_client.results
import pytest
from dynabench_client.results.base import Result

NEEDED = {
    "person": {"person_id": "p1", "user_name": "ada"},
    "upload": {"url": "http://s3/i1"},
    "context": {"context_id": "c1"},
    "expires_in": 900,
}


def results() -> Iterator[type[Result]]:
    for module in pkgutil.iter_modules(dynabench_client.results.__path__):
        found = vars(importlib.import_module(f"dynabench_client.results.{module.name}"))
        yield from (
            kind
            for kind in found.values()
            if isinstance(kind, type) and issubclass(kind, Result) and kind.__module__.endswith(module.name)
        )


@pytest.mark.parametrize("kind", list(results()), ids=lambda kind: kind.__name__)
def test_a_result_does_with_what_it_needs_and_takes_null_for_the_rest(kind: type[Result]) -> None:
    fields = {field.alias or name: field for name, field in kind.model_fields.items()}
    needed: dict[str, Any] = {
        name: NEEDED.get(name, "1") for name, field in fields.items() if field.is_required()
    }
    nulls = {name: None for name in fields if name not in needed}
    least = kind.model_validate(needed)
    assert kind.model_validate({**needed, **nulls}) == least
    assert kind.model_validate({**needed, "newer": {"a": 1}}).document()["newer"] == {"a": 1}
    assert kind.model_validate(least.document()) == least
