"""The histogram of docs/extend/figure.md on its page. `test_architecture_figure.py` runs this with the edits."""

import pytest
import web_fake_standing
from web_visiting import Visitor


def test_the_median_is_on_the_page(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = web_fake_standing.effort()
    for each in answer["items"]:
        each["median_minutes"] = {"value": 3.2, "n": 12, "reason": None}
    monkeypatch.setattr(web_fake_standing, "effort", lambda: answer)
    visitor.sign_in("olga")
    assert "<td>3.2</td>" in visitor.get("/tasks/sentiment/rounds/3/standing?view=people").text
