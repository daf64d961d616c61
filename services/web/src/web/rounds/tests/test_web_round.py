"""The page of a round: figures, charts with tables, looking again, and its owner's controls."""

import re

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor


@pytest.fixture
def path(fake: FakePlatform) -> str:
    return f"/rounds/{fake.loop.round_id}"


def test_figures_are_shown_with_intervals(visitor: Visitor, path: str) -> None:
    page = visitor.get(path).text
    for words in ("1,204", "402", "25.7\u00a0%", "(22.7–28.7)", "not checked: not fooled", "92"):
        assert words in page


def test_every_chart_has_its_table(visitor: Visitor, path: str) -> None:
    page = visitor.get(path).text
    assert page.count('<svg class="chart"') == 6
    assert page.count('<svg class="chart"') == page.count('class="chart-figure"')
    for figure in page.split('class="chart-figure"')[1:]:
        assert "<table>" in figure.partition("</figure>")[0]


def test_it_says_which_targets_were_fooled_together(visitor: Visitor, path: str) -> None:
    page = visitor.get(path).text
    chart = page.partition('id="chart-matrix"')[2].partition("</figure>")[0]
    assert "24\u00a0tries more lack an answer" in chart
    assert (
        '<th scope="row">sentiment-minilm, n-gram-b</th><td>377</td><td>31.9\u00a0%</td><td>268</td>' in chart
    )
    pairs = page.partition("Targets two by two")[2].partition("</table>")[0]
    assert "<td>377</td><td>7</td><td>18</td><td>778</td>" in pairs


def test_conditions_stand_beside_each_other(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    assert "vMER per condition" not in visitor.get(path).text
    fake.figures["by_condition"] = [
        {"condition": name, "tries": 600, "fooled": 200, "vmer": {"value": 0.291, "low": 0.25, "high": 0.33}}
        for name in ("prompt", "no_prompt")
    ]
    page = visitor.get(path).text
    assert "vMER per condition" in page
    assert "29.1\u00a0%" in page


def test_the_figures_are_shown_without_a_matrix(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    fake.fail("GET", "/matrix$", 503, times=2)
    page = visitor.get(path).text
    assert "Which targets a try fooled" not in page
    assert "1,204" in page


def test_unchanged_figures_cost_nothing(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    first = visitor.get(f"{path}/figures", **{"HX-Request": "true"})
    assert 'hx-swap-oob="innerHTML"' in first.text
    again = visitor.get(f"{path}/figures", **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    fake.figures["tries"] = 1205
    changed = visitor.get(f"{path}/figures", **{"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200
    assert "1,205" in changed.text


def test_a_round_without_tries_says_what_to_do(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    fake.figures.update(tries=0, fooled=0, segments=[], targets=[], mer={}, vmer={})
    fake.history["points"] = []
    page = visitor.get(path).text
    assert "No tries yet" in page
    assert "<svg class" not in page


def test_the_round_is_shown_while_the_leaderboard_is_away(
    visitor: Visitor, path: str, fake: FakePlatform
) -> None:
    fake.fail("GET", "/api/leaderboard/", 503, times=9)
    answer = visitor.get(path)
    assert answer.status_code == 200
    assert "The figures can&#39;t be read just now" in answer.text.replace("can't", "can&#39;t")


def test_only_owners_see_controls(ada: Visitor, path: str) -> None:
    assert "/tasks/sentiment/rounds/3/" not in ada.get(path).text


@pytest.mark.parametrize(
    ("state", "actions"),
    [
        ("draft", ["state/open", "targets", "next"]),
        ("open", ["state/paused", "state/closed", "targets", "next"]),
        ("paused", ["state/open", "state/closed", "targets", "next"]),
        ("closed", ["state/open", "release", "next"]),
        ("released", ["next"]),
    ],
)
def test_an_owner_is_led_to_what_the_round_allows(
    visitor: Visitor, path: str, fake: FakePlatform, state: str, actions: list[str]
) -> None:
    visitor.sign_in("olga")
    fake.loop.rounds[fake.loop.round_id]["state"] = state
    page = visitor.get(path).text
    found = re.findall(r'class="button" href="/tasks/sentiment/rounds/3/([a-z/]+)"', page)
    assert [each for each in found if each not in {"standing", "work"}] == actions


def test_an_owner_is_led_to_the_contexts(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    page = visitor.get(path).text
    assert f'href="{path}/contexts"' in page
    assert "480 contexts in use" in page
    fake.loop.rounds[fake.loop.round_id]["contexts"] = 0
    assert "nobody can create in it" in visitor.get(path).text
