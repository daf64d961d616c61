"""Overview of rounds: the list, one round, and both while a service is down."""

import re

import pytest
from web.overview.round import VIEWS
from web_fake_platform import FakePlatform
from web_visiting import Visitor

STANDING = "/tasks/sentiment/rounds/3/standing"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def test_rounds_stand_with_what_waits(olga: Visitor) -> None:
    page = olga.get("/rounds").text
    assert page.count("Sentiment · Round") == 3
    assert page.count('class="waits"') == 3
    assert f'href="{STANDING}"' in page
    assert "All rounds of all tasks." in page


def test_the_list_comes_page_by_page(olga: Visitor, fake: FakePlatform) -> None:
    fake.owners.standings *= 8
    first = olga.get("/rounds").text
    assert first.count("<tr>") == 21
    assert 'href="/rounds?cursor=20"' in first
    second = olga.get("/rounds?cursor=20").text
    assert second.count("<tr>") == 5
    assert 'href="/rounds?cursor=' not in second


def test_an_owner_without_a_round_is_told_what_to_do(visitor: Visitor, fake: FakePlatform) -> None:
    fake.owners.standings.clear()
    fake.add_person("otto", "owner:nli")
    visitor.sign_in("otto")
    page = visitor.get("/rounds").text
    assert "There are no rounds yet" in page
    assert 'href="/audit"' not in page


def test_counts_that_can_not_be_read_are_dashes(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/work-counts$", 503, times=20)
    answer = olga.get("/rounds")
    assert answer.status_code == 200
    assert 'class="waits"' not in answer.text


def test_what_waits_in_all_rounds_of_the_list_is_asked_at_once(olga: Visitor, fake: FakePlatform) -> None:
    fake.calls.clear()
    olga.get("/rounds")
    asked = [path for _method, path, _body in fake.calls if path.startswith("/api/validation/")]
    assert asked == ["/api/validation/v1/work-counts"]


@pytest.mark.parametrize(("by", "times"), [("segment", 1), ("condition", 0)])
def test_votes_ask_for_the_board_only_where_segments_are_named(
    by: str, times: int, olga: Visitor, fake: FakePlatform
) -> None:
    olga.get(f"{STANDING}?view=votes&by={by}")
    fake.calls.clear()
    assert olga.get(f"{STANDING}?view=votes&by={by}").status_code == 200
    boards = [path for _method, path, _body in fake.calls if "/leaderboard/v1/rounds/" in path]
    assert len(boards) == times, boards


def test_a_round_stands_with_its_evidence(olga: Visitor) -> None:
    for view, charts, said in (
        (
            "now",
            0,
            [
                "decided by votes that look unreliable",
                "appeals against pauses",
                "12\u00a0examples get no votes",
                "310 of 500 confirmed errors.",
                "25.7\u00a0% <span",
                "This is only advice.",
            ],
        ),
        ("progress", 4, []),
        (
            "votes",
            0,
            [
                "numbers of votes differ",
                "In 87.1\u00a0%",
            ],
        ),
        ("people", 3, ["2.1\u00a0% of the newest 1,000"]),
        ("health", 0, ["Its worker died twice.", "There are no failed events."]),
    ):
        page = olga.get(f"{STANDING}?view={view}").text
        for words in said:
            assert words in page, (view, words)
        assert page.count('<svg class="chart"') == charts, view
        for figure in page.split('class="chart-figure"')[1:]:
            assert "<table>" in figure.partition("</figure>")[0]


def test_views_lead_to_each_other_and_say_which_one_is_open(olga: Visitor) -> None:
    page = olga.get(STANDING).text
    assert f'href="{STANDING}" aria-current="page">Overview' in page
    for view in ("progress", "votes", "people", "health"):
        assert f'href="{STANDING}?view={view}"' in page
        assert (
            f'href="{STANDING}?view={view}" aria-current="page"' in olga.get(f"{STANDING}?view={view}").text
        )
    assert f'href="{STANDING}" aria-current="page">Overview' in olga.get(f"{STANDING}?view=moon").text


@pytest.mark.parametrize(
    "page",
    [
        "{base}/standing",
        "{base}/work",
        "{base}/examples",
        "{base}/measurements",
        "{round}/contexts",
        "{round}",
    ],
)
def test_the_tabs_of_a_round_lead_to_its_own_pages_alone(
    page: str, olga: Visitor, fake: FakePlatform
) -> None:
    places = {"base": "/tasks/sentiment/rounds/3", "round": f"/rounds/{fake.loop.round_id}"}
    shown = olga.get(page.format(**places)).text
    assert shown.count('<nav class="tabs"') == 1
    nav = shown.partition('aria-label="About Round 3"')[2].partition("</nav>")[0]
    assert re.findall(r'href="([^"]*)" aria-current="page"', nav) == [page.format(**places)]
    for address in re.findall(r'href="([^"]*)"', nav):
        assert address.startswith(tuple(places.values())), address


@pytest.mark.parametrize("view", ["progress", "votes"])
def test_the_parts_are_chosen(view: str, olga: Visitor) -> None:
    page = olga.get(f"{STANDING}?view={view}")
    assert "Segment 2" in page.text
    page = olga.get(f"{STANDING}?view={view}&by=condition")
    assert view == "votes" or '<th scope="row">no_prompt</th>' in page.text
    assert '<option value="condition" selected>' in page.text
    assert f'<input type="hidden" name="view" value="{view}">' in page.text
    assert olga.get(f"{STANDING}?view={view}&by=moon").status_code == 200


@pytest.mark.parametrize(
    ("service", "view", "sentences"),
    [
        ("leaderboard", "now", ["The figures can't be read just now", "The evidence can't be read just now"]),
        ("leaderboard", "progress", ["The figures can't be read", "The figures of the parts can't be read"]),
        ("leaderboard", "people", ["The effort can't be read just now"]),
        ("validation", "now", ["Your decisions can't be read"]),
        ("validation", "votes", ["Agreement can't be read", "The advice can't be read"]),
        ("gateway", "health", ["The state of the models can't be read"]),
        ("scoring", "health", ["No answer from scoring."]),
        ("annotation", "health", ["No answer from annotation."]),
    ],
)
def test_a_service_that_is_away_is_a_sentence(
    olga: Visitor, fake: FakePlatform, service: str, view: str, sentences: list[str]
) -> None:
    fake.fail("GET", f"^/api/{service}/v1/(rounds|model-statuses|dead-letters)", 503, times=99)
    answer = olga.get(f"{STANDING}?view={view}")
    assert answer.status_code == 200
    for sentence in sentences:
        assert sentence in answer.text.replace("&#39;", "'")


@pytest.mark.parametrize(
    ("view", "most"), [("now", 5), ("progress", 5), ("votes", 5), ("people", 5), ("health", 7)]
)
def test_each_view_asks_only_for_what_it_shows(
    view: str, most: int, olga: Visitor, fake: FakePlatform
) -> None:
    """The task is one of the calls. Before, progress and health made seven each, whatever was in them."""
    olga.get(f"{STANDING}?view={view}")
    fake.calls.clear()
    olga.get(f"{STANDING}?view={view}")
    assert len(fake.calls) == most, fake.calls


@pytest.mark.parametrize("view", VIEWS)
def test_of_a_draft_nothing_is_asked_and_one_sentence_said(
    view: str, olga: Visitor, fake: FakePlatform
) -> None:
    fake.loop.rounds[fake.loop.round_id].update(state="draft")
    olga.get(f"{STANDING}?view={view}")
    fake.calls.clear()
    page = olga.get(f"{STANDING}?view={view}").text
    assert view == "health" or len(fake.calls) == 1, fake.calls
    assert "can't be read just now" not in page
    assert "<svg class" not in page


def test_one_segment_is_not_split(olga: Visitor, fake: FakePlatform) -> None:
    fake.figures["segments"] = fake.figures["segments"][:1]
    page = olga.get(f"{STANDING}?view=progress").text
    assert "The round is one segment" in page
    assert "Segment 1" not in page


def test_a_released_round_has_nothing_to_decide(olga: Visitor, fake: FakePlatform) -> None:
    fake.loop.rounds[fake.loop.round_id].update(state="released")
    assert 'id="needs-heading"' not in olga.get(STANDING).text


def test_what_waits_comes_first(olga: Visitor) -> None:
    page = olga.get(STANDING).text
    places = [page.index(f'id="{name}-heading"') for name in ("needs", "actions", "figures", "next")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("pending", "projected", "is_shown"), [(92, 0.284, True), (0, 0.257, False), (0, 0.284, True)]
)
def test_nothing_is_projected_once_no_vote_is_missing(
    pending: int, projected: float, is_shown: bool, olga: Visitor, fake: FakePlatform
) -> None:
    fake.figures["pending"] = pending
    fake.figures["vmer"]["value"] = 0.257
    fake.figures["vmer_projected"].update(
        value=projected, low=None, high=None, reason="no interval: 2 annotators"
    )
    for path in (STANDING, f"/rounds/{fake.loop.round_id}"):
        page = olga.get(path).text
        assert ("Estimate: 28.4" in page) == is_shown
        assert ("no interval: 2 annotators" in page) == is_shown


def test_events_that_were_set_aside_are_told(olga: Visitor, fake: FakePlatform) -> None:
    letters = {
        "topic": "dynabench.vote.v1",
        "consumer": "leaderboard-worker",
        "count": 3,
        "newest_at": "2026-01-08T14:00:00Z",
        "newest_reason": "Broken.",
    }
    fake.owners.dead_letters["leaderboard"] = [letters]
    page = olga.get(f"{STANDING}?view=health").text
    assert "dynabench.vote.v1" in page
    assert "Broken." in page


@pytest.mark.parametrize("number", [9, 0])
def test_there_is_no_standing_of_no_round(olga: Visitor, number: int) -> None:
    assert olga.get(f"/tasks/sentiment/rounds/{number}/standing").status_code == 404


def test_the_way_there_is_shown_to_who_may_go(visitor: Visitor) -> None:
    assert 'href="/rounds"' not in visitor.get("/").text
    visitor.sign_in("ada")
    assert 'href="/rounds"' not in visitor.get("/").text
    visitor.sign_in("olga")
    assert 'href="/rounds"' in visitor.get("/").text
