"""The page of a round: figures, charts with tables, looking again, and its owner's controls."""

import re
from html import unescape

import pytest
from web_fake_figures import rate
from web_fake_platform import FakePlatform
from web_visiting import Visitor

NO_TRIES = rate(None, reason="no tries")


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
    assert "24\u00a0more tries lack an answer" in chart
    assert (
        '<th scope="row">sentiment-minilm, n-gram-b</th><td>377</td><td>31.9\u00a0%</td><td>268</td>' in chart
    )
    pairs = page.partition("Pairs of models")[2].partition("</table>")[0]
    assert "<td>377</td><td>7</td><td>18</td><td>778</td>" in pairs


def test_the_funnel_leads_from_contexts_to_confirmed_errors(
    visitor: Visitor, path: str, fake: FakePlatform
) -> None:
    fake.calls.clear()
    text = shown(visitor, path)
    for words in (
        "Contexts 480",
        "Tries 1,204",
        "Fooled 402",
        "Confirmed 310",
        "Not confirmed 0",
        "Being checked 92",
    ):
        assert words in text
    assert not any(path.startswith("/api/validation/") for _method, path, _body in fake.calls)
    fake.figures["state"] = "released"
    assert "Never checked 92" in shown(visitor, path)


def test_conditions_stand_beside_each_other(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    assert "Confirmed fool rate per condition" not in visitor.get(path).text
    fake.figures["by_condition"] = [
        {
            "condition": name,
            "tries": 600,
            "fooled": 200,
            "unknown": 0,
            "validated_errors": 175,
            "mer": rate(0.333, 0.3, 0.37, 600),
            "vmer": rate(0.291, 0.25, 0.33, 600),
            "vmer_range": {"low": 0.291, "high": 0.291, "pending": 0},
            "vmer_projected": {**rate(0.291, 0.25, 0.33, 600), "not_checked": []},
        }
        for name in ("prompt", "no_prompt")
    ]
    page = visitor.get(path).text
    assert "Confirmed fool rate per condition" in page
    assert "29.1\u00a0%" in page


def test_the_figures_are_shown_without_a_matrix(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    fake.fail("GET", "/matrix$", 503, times=2)
    page = visitor.get(path).text
    assert "Models fooled by the same try" not in page
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
    fake.figures.update(tries=0, decided=0, fooled=0, segments=[], targets=[], mer=NO_TRIES, vmer=NO_TRIES)
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
    assert [each for each in found if each not in {"standing", "work", "examples"}] == actions


def test_an_owner_is_led_to_the_contexts(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    page = visitor.get(path).text
    assert f'href="{path}/contexts"' in page
    assert "480 contexts in use" in page
    fake.loop.rounds[fake.loop.round_id]["contexts"] = 0
    assert "nobody can play it" in visitor.get(path).text


def shown(visitor: Visitor, path: str) -> str:
    """Return the figures of a page as a reader sees them, with single spaces between words."""
    figures = visitor.get(path).text.partition('<div id="figures"')[2]
    return " ".join(re.sub(r"<[^>]+>", " ", figures).replace("\u00a0", " ").split())


def test_an_import_says_what_each_figure_is_of(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    """22 tries, 19 of them with a verdict: the rate, what it is of, the funnel and the counts agree."""
    mer = rate(16 / 19, 0.6, 0.95, 19)
    fake.figures.update(
        tries=22, decided=19, fooled=16, undecided=2, unknown=1, resolved=18, mer=mer, segments=[], targets=[]
    )
    fake.figures["outcomes"].update(
        confirmed=12, not_confirmed=3, being_checked=1, not_fooled=3, retracted=0, undecided=2, unknown=1
    )
    fake.figures["validity"] = rate(0.8, n=15)
    text = shown(visitor, path)
    assert "84.2 % of 19 (60.0–95.0)" in text
    assert "72.7 %" not in text
    assert "With a verdict 19 86.4 % of 22" in text
    assert "Fooled 16 84.2 % of 19" in text
    assert "22 tries · 16 fooled: 12 confirmed, 3 not confirmed, 1 being checked" in text
    assert "Not fooled 3 Undecided 2 Unknown: no claim 1" in text
    assert "Undecided 2" in text
    assert "Unknown: no claim 1" in text
    assert "Checked 18 of 22 tries; 15 of them fooled" in text
    assert "Fool rate (MER): tries that fooled a model, of all tries with a verdict." in text


def test_where_nothing_was_claimed_it_is_unknown_what_fooled(
    visitor: Visitor, path: str, fake: FakePlatform
) -> None:
    nothing = rate(None, reason="no try has a verdict")
    fake.figures.update(tries=22, decided=0, fooled=0, unknown=22, mer=nothing, vmer=nothing)
    fake.figures.update(vmer_range={"low": None, "high": None, "pending": 0}, segments=[], targets=[])
    fake.figures["outcomes"] = {**dict.fromkeys(fake.figures["outcomes"], 0), "unknown": 22}
    fake.history["points"] = []
    text = shown(visitor, path)
    assert "22 tries · unknown how many fooled: no claim" in text
    assert "All 22 unknown" in text


def test_while_votes_are_missing_it_says_what_vmer_can_still_come_to(
    visitor: Visitor, path: str, fake: FakePlatform
) -> None:
    fake.figures.update(
        vmer=rate(0.4, 0.3, 0.5, 105),
        vmer_range={"low": 0.4, "high": 0.581, "pending": 19},
        vmer_projected={**rate(0.512, 0.42, 0.6, 105), "not_checked": []},
    )
    text = shown(visitor, path)
    assert "Confirmed fool rate: 40.0 % now, at most 58.1 % once the 19 texts that wait are checked." in text
    assert "Estimate: 51.2 % (42.0–60.0)." in text


def test_once_all_votes_are_in_vmer_stands_alone(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    done = {"vmer_range": {"low": 0.4, "high": 0.4, "pending": 0}}
    fake.figures.update(**done, segments=[], targets=[])
    assert "at most" not in shown(visitor, path)


def test_it_says_which_targets_were_lost_when_and_why(
    visitor: Visitor, path: str, fake: FakePlatform
) -> None:
    assert "Models that stopped answering" not in visitor.get(path).text
    times = {"failing_since": "2026-01-07T11:50:00Z", "lost_at": "2026-01-07T12:00:00Z"}
    fake.loop.lost_targets = [
        {"target": "n-gram-b", "paused": True, "reason": "", **times},
        {"target": "cnn<b>", "paused": False, "reason": "no worker was ready within 120 s", **times},
    ]
    page = visitor.get(path).text
    assert "7 Jan 12:00: the round was paused. It needs n-gram-b" in page
    assert "7 Jan 12:00: cnn&lt;b&gt; was removed because it had not answered since 7 Jan 11:50." in page
    assert "no worker was ready within 120 s" in page
    assert "put it back" not in page
    visitor.sign_in("olga")
    assert 'href="/tasks/sentiment/rounds/3/targets">put it back</a>' in visitor.get(path).text


def test_rates_of_a_later_tier_say_of_which_tries_they_are(
    visitor: Visitor, path: str, fake: FakePlatform
) -> None:
    assert "earlier tiers" not in visitor.get(path).text
    fake.figures["targets"][1] |= {"not_asked": 24, "rates_of": "tries that fooled the earlier tiers"}
    note = "asked only about tries that fooled the earlier tiers; not about 24\u00a0other tries"
    page = visitor.get(path).text
    assert f'n-gram-b <span class="interval">{note}</span>' in page
    chart = page.partition('id="chart-targets"')[2].partition("</figure>")[0]
    assert f"1,180 {note}" in chart


def test_the_widget_may_be_framed_by_others_and_has_no_scripts(visitor: Visitor, path: str) -> None:
    widget = visitor.get(f"{path}/widget")
    assert "frame-ancestors *" in widget.headers["Content-Security-Policy"]
    assert "script-src" not in widget.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in widget.headers
    assert "Set-Cookie" not in widget.headers
    assert "<script" not in widget.text
    assert "<form" not in widget.text
    assert "1,204\u00a0tries" in widget.text
    assert f'href="http://localhost{path}" target="_blank"' in widget.text


def test_the_page_has_the_code_of_the_widget(
    visitor: Visitor, path: str, fake: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = fake.loop.task
    monkeypatch.setattr(fake.loop, "task", lambda slug: {**task(slug), "title": 'Feel "it"'})
    page = unescape(visitor.get(path).text)
    assert f'<iframe src="http://localhost{path}/widget" title="Feel &#34;it&#34;, round 3"' in page


def test_a_draft_has_no_widget(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    fake.loop.rounds[fake.loop.round_id]["state"] = "draft"
    assert visitor.get(f"{path}/widget").status_code == 404
    assert "<iframe" not in unescape(visitor.get(path).text)


def test_a_widget_without_figures_says_so(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    fake.fail("GET", "/api/leaderboard/v1/rounds/", 503)
    assert "The figures can't be read just now" in unescape(visitor.get(f"{path}/widget").text)
