"""Public examples, as the SDK asks for them."""

import pytest
from dynabench_api.public_examples import HiddenExampleAnswer, PublicExampleAnswer
from dynabench_client import Dynabench
from dynabench_client.results.base import every

from services.client.tests.stub_platform import StubPlatform

EXAMPLES = "/scoring/v1/public-examples"


def example(example_id: str) -> dict[str, object]:
    return PublicExampleAnswer.blank(example_id=example_id).document()


def test_a_list_is_asked_for_by_what_is_given_and_read_to_its_end(stub: StubPlatform) -> None:
    stub.tell(
        "GET",
        EXAMPLES,
        {"items": [example("e1")], "next_cursor": "c"},
        {"items": [example("e2")], "next_cursor": None},
    )
    client = Dynabench(stub.url).public_examples
    found = every(lambda cursor: client.list(task="nli", order="best", cursor=cursor))
    assert [each.example_id for each in found] == ["e1", "e2"]
    asked = [request.query for request in stub.requests]
    assert asked == ["task=nli&order=best", "task=nli&order=best&cursor=c"]


@pytest.mark.parametrize(
    ("method", "reason", "verb", "end"),
    [
        ("hide", None, "PUT", "hidden"),
        ("hide", "It insults people.", "PUT", "hidden"),
        ("show", None, "DELETE", "hidden"),
        ("keep", "It insults nobody.", "PUT", "kept"),
    ],
)
def test_a_decision_sends_a_reason_only_where_there_is_one(
    stub: StubPlatform, method: str, reason: str | None, verb: str, end: str
) -> None:
    stub.tell(verb, f"{EXAMPLES}/e1/{end}", HiddenExampleAnswer.blank(is_hidden=True).document())
    given = () if reason is None else (reason,)
    assert getattr(Dynabench(stub.url).public_examples, method)("e1", *given).is_hidden
    (request,) = stub.requests
    if verb == "PUT":
        assert request.body == ({} if reason is None else {"reason": reason})
