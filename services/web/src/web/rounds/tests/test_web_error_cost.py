"""The cost of a confirmed error on the page of a round."""

import html

from web_fake_platform import FakePlatform
from web_visiting import Visitor, pages_over

COST = "for each confirmed error"


def test_the_cost_of_an_error_is_said_by_currency(visitor: Visitor, fake: FakePlatform) -> None:
    fake.work.costs = [
        {"currency": "EUR", "spent_minor": 17040, "validated_errors": 12, "per_error_minor": 1420},
        {"currency": "GBP", "spent_minor": 90, "validated_errors": 0, "per_error_minor": None},
    ]
    page = html.unescape(visitor.get(f"/rounds/{fake.loop.round_id}").text)
    assert f"€14.20 {COST} (12\u00a0paid errors)" in page
    assert page.count(COST) == 1


def test_nothing_is_said_without_a_cost_or_without_crowd(visitor: Visitor, fake: FakePlatform) -> None:
    address = f"/rounds/{fake.loop.round_id}"
    assert COST not in visitor.get(address).text
    fake.fail("GET", "/error-cost$", 503, times=9)
    answer = visitor.get(address)
    assert (answer.status_code, COST in answer.text) == (200, False)
    without = Visitor(pages_over(fake, crowd_url=None).test_client())
    fake.calls.clear()
    assert without.get(address).status_code == 200
    assert not [path for _method, path, _body in fake.calls if "/crowd/" in path]
