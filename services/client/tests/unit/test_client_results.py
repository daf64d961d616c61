"""What holds of every result: nothing that it needs may be missing, and nothing is lost."""

import importlib
import pkgutil
from collections.abc import Iterator

import dynabench_client.results
import pytest
from dynabench_client.results.base import Result
from pydantic import ValidationError


def results() -> Iterator[type[Result]]:
    for module in pkgutil.iter_modules(dynabench_client.results.__path__):
        found = vars(importlib.import_module(f"dynabench_client.results.{module.name}"))
        yield from (
            kind
            for kind in found.values()
            if isinstance(kind, type) and issubclass(kind, Result) and kind.__module__.endswith(module.name)
        )


@pytest.mark.parametrize("kind", list(results()), ids=lambda kind: kind.__name__)
def test_a_result_needs_what_is_always_there_and_loses_nothing(kind: type[Result]) -> None:
    least = kind.blank()
    document = least.document()
    assert kind.model_validate(document) == least
    assert kind.model_validate({**document, "newer": {"a": 1}}).document()["newer"] == {"a": 1}
    for name, field in kind.model_fields.items():
        if field.is_required():
            less = {key: value for key, value in document.items() if key != (field.alias or name)}
            with pytest.raises(ValidationError):
                kind.model_validate(less)
