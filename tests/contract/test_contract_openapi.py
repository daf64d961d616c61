"""Services answer requests that their OpenAPI documents allow, and others, without a 5xx and by the document.

Status, media type, headers and body of every answer are those of the document, whose records are closed for this.
DYNABENCH_FUZZ_CASES is the number of requests for each operation; `make test-all` makes it large.
"""

import os
from typing import Any

import hypothesis
import pytest
import schemathesis
import urllib3
from dynabench_client import Dynabench
from dynabench_common.http.contracts import closed_document
from hypothesis import strategies
from schemathesis import SerializationContext
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.scenarios import own_task, record


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: SerializationContext, value: Any) -> bytes:
    """Send generated text unchanged: it is rarely JSON lines."""
    return str(value).encode("utf-8", "surrogatepass")


CASES = int(os.environ.get("DYNABENCH_FUZZ_CASES", "5"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SERVICES = ["annotation", "validation", "leaderboard", "scoring", "registry", "gateway"]
# Accounts is left out: it would change the people who sign in to the other services.
READ_ONLY = ["accounts"]
LEAST_OPERATIONS = 4


@pytest.fixture(scope="module")
def access_token(platform: Any) -> str:
    admin = platform.sign_ins()["admin"]
    return Dynabench(platform.url).accounts.sign_in("admin", admin["password"]).access_token


@pytest.fixture(scope="module")
def known(platform: Any) -> dict[str, str]:
    """A round with an example that has votes, for these tests alone, by the names of path parameters."""
    person = platform.sign_ins()["admin"]
    admin = Dynabench(platform.url, user_name="admin", password=person["password"])
    task = own_task(platform.url, admin)
    votes = [{"label": "negative", "voter": "one"}, {"label": "positive", "voter": "two"}]
    round_id = task.bring_in(record(number, author="three", votes=votes) for number in range(3))
    example_id = task.owner.client.annotation.examples(round_id, author="all").items[0].example_id
    task.owner.client.validation.give_up_vote(example_id)
    vote_id = task.owner.client.validation.votes(example_id).items[0].vote_id
    model = admin.gateway.models()[0].name
    return {
        "round_id": round_id,
        "example_id": example_id,
        "vote_id": vote_id,
        "slug": task.slug,
        "name": model,
    }


@pytest.mark.long
@pytest.mark.parametrize("service", [*READ_ONLY, *SERVICES])
def test_every_answer_is_as_published(
    service: str, platform: Any, access_token: str, known: dict[str, str]
) -> None:
    document = urllib3.request("GET", f"{platform.url}/api/{service}/openapi.json").json()
    schema: Any = schemathesis.openapi.from_dict(closed_document(document))
    schema.config.update(base_url=platform.url)
    if service in READ_ONLY:
        schema = schema.include(method="GET")
    headers = {"Authorization": f"Bearer {access_token}"}
    tried = 0

    for operation in schema.get_all_operations():
        assert isinstance(operation, Ok), operation
        built = operation.ok()

        @hypothesis.given(case=built.as_strategy(), exists=strategies.booleans())
        @hypothesis.settings(
            max_examples=CASES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        def fuzz(case: Any, exists: bool) -> None:
            if exists:
                case.path_parameters |= {name: known[name] for name in case.path_parameters if name in known}
            case.call_and_validate(headers=headers, checks=CHECKS)

        fuzz()
        tried += 1
    assert tried >= LEAST_OPERATIONS


@pytest.mark.parametrize("service", [*READ_ONLY, *SERVICES])
def test_the_document_is_served(service: str, platform: Any) -> None:
    schema = schemathesis.openapi.from_url(f"{platform.url}/api/{service}/openapi.json")
    assert len(list(schema.get_all_operations())) > 0
