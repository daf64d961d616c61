"""annotation and validation answer whatever their OpenAPI documents allow, and much that they do not, without a 5xx."""

from typing import Any

import hypothesis
import pytest
import schemathesis
from dynabench_client import Dynabench
from schemathesis import SerializationContext
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: SerializationContext, value: Any) -> bytes:
    """Send generated text as it is: it may be lines of JSON, and hardly ever is."""
    return str(value).encode("utf-8", "surrogatepass")


CASES = 40
SERVICES = ["annotation", "validation", "leaderboard", "scoring"]


@pytest.fixture(scope="module")
def access_token(platform: Any) -> str:
    olga = platform.sign_ins()["olga"]
    return Dynabench(platform.url).accounts.sign_in("olga", olga["password"]).access_token


@pytest.mark.parametrize("service", SERVICES)
def test_no_request_breaks_the_service(service: str, platform: Any, access_token: str) -> None:
    schema = schemathesis.openapi.from_url(f"{platform.url}/api/{service}/openapi.json")
    headers = {"Authorization": f"Bearer {access_token}"}
    tried = 0

    for operation in schema.get_all_operations():
        assert isinstance(operation, Ok), operation
        built = operation.ok()

        @hypothesis.given(case=built.as_strategy())
        @hypothesis.settings(
            max_examples=CASES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        def fuzz(case: Any) -> None:
            case.call_and_validate(headers=headers, checks=[not_a_server_error])

        fuzz()
        tried += 1
    assert tried >= 8


@pytest.mark.parametrize("service", ["accounts", *SERVICES, "gateway"])
def test_the_document_is_served(service: str, platform: Any) -> None:
    schema = schemathesis.openapi.from_url(f"{platform.url}/api/{service}/openapi.json")
    assert len(list(schema.get_all_operations())) > 0
