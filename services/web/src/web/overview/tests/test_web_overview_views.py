"""Views of the overview of rounds, and the charts on its pages."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import web_fake_standing as figures
from dynabench_client.results.annotation import Collection, Round
from dynabench_client.results.base import DeadLetters
from dynabench_client.results.leaderboard import BurnUp, Effort, NextRound, RoundStanding, Standing
from dynabench_client.results.models import Model
from dynabench_client.results.validation import Agreement, HumanEstimate, VotesAdvice, WorkCounts
from web.kit.charts.balance import balance
from web.kit.isolation import name
from web.kit.round_actions import moves, needs, round_address
from web.kit.words import voting_policy_words
from web.overview.burn_up import burn_up
from web.overview.effort import effort_rows
from web.overview.figures import backlog_sentence, next_round_view, people_lines, stages_of
from web.overview.health import dead_letters_view, target_rows
from web.overview.rounds_view import overview_rows
from web.overview.survival import survival
from web.overview.votes import advice_view, agreement_view, estimate_sentence
from web_fake_figures import SEGMENTS

NOW = datetime(2026, 1, 8, 14, 0, tzinfo=UTC)
HERE = Round.blank(round_id="r", task_slug="sentiment", number=3, state="open")
STANDING = Standing.blank(**figures.standing("r"))
EFFORT = [Effort.blank(**each) for each in figures.effort()["items"]]


@pytest.mark.parametrize(
    ("origin", "state", "expected"),
    [
        ("", "draft", ["open"]),
        ("", "open", ["paused", "closed"]),
        ("", "paused", ["open", "closed"]),
        ("", "closed", ["open"]),
        ("", "released", []),
        ("imported", "draft", ["closed"]),
        ("imported", "closed", []),
        ("harvested", "draft", ["closed"]),
    ],
)
def test_owners_are_offered_the_moves_that_exist(origin: str, state: str, expected: list[str]) -> None:
    found = Round.blank(round_id="r", state=state, origin=origin)
    assert [to for _, to in moves(found)] == expected


def test_addresses_hold_no_way_out_of_their_task() -> None:
    found = Round.blank(round_id="r", task_slug="../x?y", number=2)
    assert round_address(found, "standing") == "/tasks/..%2Fx%3Fy/rounds/2/standing"


def test_needs_lead_to_their_queue_and_nothing_is_no_need() -> None:
    counts = WorkCounts.blank(disputed=9, low_posterior=1200, pause_appeals=1)
    base = "/tasks/sentiment/rounds/3/work?kind="
    assert [(need.number, need.address) for need in needs(counts, HERE)] == [
        ("9", f"{base}disputed"),
        ("1,200", f"{base}low_posterior"),
        ("1", "/tasks/sentiment/validators"),
    ]
    assert needs(WorkCounts.blank(pending=9), HERE) == []


def test_a_row_sums_what_waits_and_says_where_it_is_not_known() -> None:
    heads = [{**figures.headline(FOUND), "round_id": f"r{number}", "number": number} for number in (3, 2)]
    listed = [RoundStanding.blank(**head) for head in heads]
    unknown = RoundStanding.blank(round_id="x", number=1)
    counts = {"r3": WorkCounts.blank(disputed=2, appealed=1)}
    rows = overview_rows([*listed, unknown], counts, {"sentiment": "Sentiment"})
    assert [(row.task, row.name, row.needs, row.waits) for row in rows] == [
        ("Sentiment", "Round 3", "3", True),
        ("Sentiment", "Round 2", "–", False),
    ]


def test_a_funnel_with_tries_without_a_verdict_has_a_stage_for_the_others() -> None:
    """An import: 16 of 19 fooled, as MER says, of 22 tries."""
    found = {**figures.standing("r")["funnel"], "tries": 22, "decided": 19, "fooled": 16, "no_claim": 2}
    stages = stages_of(None, Standing.blank(**{**figures.standing("r"), "funnel": found}).funnel)
    assert stages[:4] == [("Tries", 22), ("With a verdict", 19), ("Fooled", 16), ("Checked", 310)]
    assert stages[-1] == ("– no claim", 2)


FOUND: dict[str, Any] = {
    "round_id": "r",
    "task_slug": "sentiment",
    "number": 3,
    "title": "",
    "state": "open",
}


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({}, "No example waits for votes."),
        ({"pending": 1}, "1\u00a0example waits for votes."),
        (
            {"pending": 92, "oldest_pending_at": NOW - timedelta(hours=3), "leases_out": 1},
            "92\u00a0examples wait for votes, the oldest for 3\u00a0hours. 1\u00a0person is checking one now.",
        ),
        (
            {"pending": 2, "oldest_pending_at": NOW - timedelta(days=9)},
            "2\u00a0examples wait for votes, the oldest for 9\u00a0days.",
        ),
        (
            {"pending": 2, "oldest_pending_at": NOW + timedelta(minutes=1)},
            "2\u00a0examples wait for votes, the oldest for less than a minute.",
        ),
    ],
)
def test_the_backlog_is_told_with_its_age(counts: dict[str, Any], sentence: str) -> None:
    assert backlog_sentence(WorkCounts.blank(**counts), NOW) == sentence


def test_stages_name_what_is_known() -> None:
    stages = dict(stages_of(None, STANDING.funnel))
    assert "Contexts" not in stages
    assert (stages["Fooled"], stages["– no agreement"]) == (402, 9)
    assert "– no claim" not in stages
    funnel = STANDING.funnel.model_copy(update={"no_claim": 5})
    assert dict(stages_of(480, funnel))["– no claim"] == 5


def test_advice_has_words_for_what_a_newer_platform_says() -> None:
    view = next_round_view(NextRound.blank(**figures.next_round()))
    assert view.advice.text == "Soon"
    assert [row.says.sign for row in view.evidence] == ["✕", "✓", "?", "✓", "✕"]
    newer = {"advice": "long_ago", "evidence": [{"name": "moon_phase", "says": "maybe", "text": "Full."}]}
    view = next_round_view(NextRound.blank(**newer))
    assert (view.advice.text, view.evidence[0].question) == ("Long ago", "Moon phase")
    assert view.evidence[0].says.text == "unknown"


def test_a_missing_measure_says_why() -> None:
    view = agreement_view(Agreement.blank(**figures.agreement("r")), {SEGMENTS[0]: "Segment 1"})
    fleiss = view.coefficients[1]
    assert (fleiss.value, fleiss.note) == ("–", "numbers of votes differ")
    assert view.coefficients[2].value == "0.713"
    assert view.votes == "702\u00a0votes by 23\u00a0people on 310\u00a0examples"
    assert [group.name for group in view.groups] == ["Segment 1", SEGMENTS[1]]
    assert view.camps == [("Examples with 2 equal votes", "281"), ("Examples with 3 equal votes", "29")]


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ({"adaptive": {"agree": 2, "max_votes": 3}}, "adaptive: 2 must agree, 3 votes at most"),
        ({"fixed": {"votes": 5, "agree": 3}}, "fixed: 5 votes, 3 must agree"),
        ({}, "–"),
    ],
)
def test_policies_are_said_in_words(policy: dict[str, Any], words: str) -> None:
    assert voting_policy_words(policy) == words


def test_votes_advice_sets_policies_side_by_side() -> None:
    view = advice_view(VotesAdvice.blank(**figures.votes_advice()))
    assert (view.current.error, view.suggestions[0].error) == ("6.2\u00a0%", "2.1\u00a0%")
    assert advice_view(VotesAdvice.blank(reason="too few votes")).current.votes == "–"


def test_the_human_estimate_is_a_sentence_or_a_reason() -> None:
    assert "87.1\u00a0% (84.0–90.0)" in estimate_sentence(HumanEstimate.blank(**figures.human_estimate()))
    assert estimate_sentence(HumanEstimate.blank(reason="one vote each")) == "one vote each"
    adaptive = HumanEstimate.blank(**{**figures.human_estimate(), "reason": "adaptive: the other alone"})
    assert estimate_sentence(adaptive).endswith("people are right. Adaptive: the other alone.")


def test_a_single_target_has_the_figures_of_the_rule() -> None:
    assert [row.name for row in effort_rows(EFFORT)] == [
        "Round's rule",
        name("sentiment-minilm"),
        name("n-gram-b"),
    ]
    assert [row.name for row in effort_rows(EFFORT[:2])] == ["Round's rule"]
    missing = effort_rows(EFFORT)[2]
    assert (missing.minutes, missing.minutes_note) == ("–", "no confirmed error has a time yet")


def test_people_are_told_as_far_as_they_are_known() -> None:
    lines = dict(people_lines(STANDING, Collection.blank(**figures.collection("r"))))
    assert lines["Tries by the five most active"] == "38.0\u00a0% by 5 of 41"
    assert lines["Near duplicates"] == "2.1\u00a0% of the newest 1,000"
    assert people_lines(None, None) == []


@pytest.mark.parametrize("change", [{"tries": 19}, {"people": 5}], ids=["few tries", "few people"])
def test_who_wrote_most_is_left_out_while_it_says_nothing(change: dict[str, int]) -> None:
    document = figures.standing("r")
    document["funnel"] |= {name: number for name, number in change.items() if name == "tries"}
    document["authors"] |= {name: number for name, number in change.items() if name == "people"}
    assert [name for name, _value in people_lines(Standing.blank(**document), None)] == ["Authors"]


def test_a_target_that_is_not_served_says_what_to_do() -> None:
    models = [Model.blank(name="a", ready=True), Model.blank(name="b", state="failed", reason="It died.")]
    rows = target_rows(["a", "b", "c"], models)
    assert [row.state.text for row in rows] == ["Ready", "Failed", "Not served"]
    assert (rows[1].note, bool(rows[2].note)) == ("It died.", True)


def test_a_silent_service_is_no_sound_one() -> None:
    letters = [DeadLetters.blank(topic="dynabench.vote.v1", count=3), DeadLetters.blank(topic="t", count=0)]
    view = dead_letters_view({"annotation": letters, "scoring": None, "accounts": ()})
    assert [(row.service, row.number) for row in view.rows] == [("annotation", "3")]
    assert view.silent == ["scoring"]


def test_the_band_of_a_forecast_reaches_the_goal() -> None:
    chart = burn_up(STANDING.burn_up)
    assert chart
    assert 'class="band series-accent"' in chart.svg
    assert "Expected date at this pace: 10 Jan 2026 to 13 Jan 2026 (95 %)." in chart.description
    assert chart.table.rows[-1][1] == "310"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"forecast": None, "reason": "no forecast: nothing was validated"},
            "No forecast: nothing was validated.",
        ),
        ({"goal": None, "forecast": None, "reason": None}, "a day over"),
        ({"goal": 200}, "The goal is 200."),
    ],
    ids=["no forecast", "no goal", "goal passed"],
)
def test_without_a_forecast_there_is_no_band(change: dict[str, Any], words: str) -> None:
    chart = burn_up(STANDING.burn_up.model_copy(update=change))
    assert chart
    assert words in chart.description
    assert 'class="band' not in chart.svg


def test_a_band_that_ends_far_ahead_runs_out_of_the_picture() -> None:
    forecast = {"low": "2026-01-10", "expected": "2026-01-11", "high": "2036-01-01"}
    document = {**figures.standing("r")["burn_up"], "forecast": forecast}
    chart = burn_up(BurnUp.blank(**document))
    assert chart
    places = [float(number) for number in chart.svg.split('d="M')[1].split('Z"')[0].replace("L", " ").split()]
    assert max(places[::2]) <= 400


def test_nothing_validated_is_no_chart() -> None:
    assert burn_up(BurnUp.blank()) is None
    assert burn_up(BurnUp.blank(**{"points": [{"at": NOW, "validated": 1}]})) is None


def test_survival_falls_in_steps() -> None:
    chart = survival(EFFORT)
    assert chart
    assert chart.svg.count('class="line') == 3
    assert chart.table.rows[0][:3] == ["Round's rule", "1", "60.0\u00a0%"]
    assert survival([Effort.blank(target=None)]) is None


def test_labels_that_only_voters_use_are_drawn_too() -> None:
    chart = balance(STANDING.labels.claimed, STANDING.labels.gold)
    assert chart
    assert chart.table.rows[-1] == [name("mixed"), "0", "0.0\u00a0%", "12", "3.7\u00a0%"]
    assert balance({}, {}) is None
