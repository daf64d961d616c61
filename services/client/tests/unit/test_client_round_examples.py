"""Looking through a round's examples, and giving up one's vote on one."""

import pytest

from services.client.tests.client_owner_answers import page
from services.client.tests.client_rows import Row, addresses, check
from services.client.tests.conftest import StubPlatform

ROWS: list[Row] = [
    (
        lambda c: c.validation.round_examples(
            "r1", text="sand sea", became="waiting", author_id="p1", limit=5
        ),
        "GET /validation/v1/rounds/r1/examples?text=sand+sea&became=waiting&author_id=p1&limit=5",
        page({"example_id": "e1", "is_hidden": True, "votes": []}),
        None,
        lambda made: (made.items[0].example_id, made.items[0].is_hidden) == ("e1", True),
    ),
    (
        lambda c: c.validation.give_up_vote("e1"),
        "PUT /validation/v1/examples/e1/abstention",
        None,
        {},
        lambda made: made is None,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=addresses(ROWS))
def test_a_method_sends_its_request_and_reads_its_answer(stub: StubPlatform, row: Row) -> None:
    check(stub, row)
