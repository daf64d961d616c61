"""Queries of routes: the framework asks for their JSON schema with each request, so it must be made once."""

import inspect

import pytest
from dynabench_common.http.schemas import PageQuery, Parameters

from tests.published import WITH_DOCUMENT, app_of


@pytest.mark.parametrize("service", WITH_DOCUMENT)
def test_queries_of_all_routes_make_their_schema_once(service: str) -> None:
    queries = {
        parameter.annotation
        for view in app_of(service).view_functions.values()
        for name, parameter in inspect.signature(view).parameters.items()
        if name == "query"
    }
    assert [query for query in queries if not issubclass(query, Parameters)] == []


def test_a_schema_is_that_of_its_own_class() -> None:
    class Longer(PageQuery):
        words: str = ""

    assert Longer.model_json_schema() is Longer.model_json_schema()
    assert set(Longer.model_json_schema()["properties"]) == {"limit", "cursor", "words"}
    assert set(PageQuery.model_json_schema()["properties"]) == {"limit", "cursor"}
