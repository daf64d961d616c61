"""The board of a task's models, its weights, and two models compared."""

import re

import pytest
from web.kit.charts.score_bars import bands
from web_fake_model_board import DATASET_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

BOARD = "/tasks/sentiment/board"


def test_models_are_ranked_with_what_is_certain(visitor: Visitor) -> None:
    page = visitor.get(BOARD)
    assert page.status_code == 200
    for words in (
        "1–2",
        "79.0",
        "(77.0–81.0)",
        "1.40 ×",
        "one of 7 models of its submitter",
        "people wrote round 2, 3 to fool it",
        "predictions only",
        "gives nearly always the same answer",
        "its evaluation on sentiment-round-2 is under way",
        "7.0 points",
    ):
        assert words in page.text, words
    for words in (
        "Lead over deberta-mix-v1: 7 answers on sentiment-round-2 (of 720)",
        "luck alone could put the best of them about 1.4 points ahead",
        "tied for first place, and 3.1 times as fast as the others",
        'aria-label="round 1: 61.0, round 2: 71.0"',
        'data-board-places="1 1 2"',
        "widened for its scores on sentiment-round-2",
        "(no interval)",
        "the uncertainty of its fairness on sentiment-round-2 is not known",
    ):
        assert words in page.text, words
    assert page.text.index("roberta-adv-v2") < page.text.index("sentiment-minilm")


def test_people_stand_on_the_board_of_a_round_that_they_voted_on(
    visitor: Visitor, fake: FakePlatform
) -> None:
    page = visitor.get(BOARD).text
    assert "87.1\u00a0% (84.0–90.0) vote like most others, over 620 votes" in page
    assert "not accuracy" in page
    fake.fail("GET", "human-estimate$", 404)
    assert "People have voted on none of these datasets" in visitor.get(BOARD).text


def test_models_measured_elsewhere_have_a_board_of_their_own(visitor: Visitor) -> None:
    assert f'<a href="{BOARD}?external=1">2 models measured elsewhere</a>' in visitor.get(BOARD).text
    page = visitor.get(f"{BOARD}?external=1").text
    assert f'<a href="{BOARD}">Models measured here</a>' in page
    assert '<input type="hidden" name="external" value="1">' in page
    assert f"{BOARD}.csv?external=1" in page
    assert "data-board-parts" not in page


def test_weights_in_the_address_are_passed_on_and_stay_in_links(visitor: Visitor) -> None:
    page = visitor.get(f"{BOARD}?w_performance=1&w_throughput=0&w_memory=&d_sentiment-round-2=2&gamma=0.8")
    assert 'name="w_performance" min="0" max="1000000" step="any" value="1"' in page.text
    assert 'name="w_throughput" min="0" max="1000000" step="any" value="0"' in page.text
    assert '<option value="0.8" selected>' in page.text
    assert "board.csv?w_performance=1&amp;w_throughput=0&amp;d_sentiment-round-2=2&amp;gamma=0.8" in page.text
    assert "model-board?weights=performance%3A1%2Cthroughput%3A0&amp;datasets=" in page.text


def test_weights_that_mean_nothing_are_said_and_the_tasks_own_shown(visitor: Visitor) -> None:
    page = visitor.get(f"{BOARD}?w_performance=-1")
    assert page.status_code == 422
    assert "roberta-adv-v2" in page.text
    assert 'role="alert"' in page.text


def test_a_task_without_scores_says_what_to_do(visitor: Visitor) -> None:
    page = visitor.get("/tasks/nli/board").text
    assert "No scores yet" in page
    assert "/datasets/scored?task=" in page


def test_the_board_is_there_as_a_table_for_programs(visitor: Visitor) -> None:
    answer = visitor.get(f"{BOARD}.csv")
    lines = answer.text.splitlines()
    assert lines[0].startswith("rank,rank_first,rank_last,model,score,low,high,performance")
    assert lines[1].startswith("1,1,2,roberta-adv-v2,79.0")
    assert lines[5].startswith(",,,tiny-x-v1,")
    assert "attachment" in answer.headers["Content-Disposition"]


def test_two_models_are_compared(visitor: Visitor) -> None:
    page = visitor.get(f"{BOARD}/compare?first=roberta-adv-v2&second=offline&dataset={DATASET_ID}").text
    told = (
        "hardly chance",
        "145",
        "8.9 points",
        "(4.8 – 12.9)",
        "negation",
        "r2-1",
        "3.9 – 12.2",
        "only 310 contexts",
    )
    for words in told:
        assert words in page, words
    empty = visitor.get(f"{BOARD}/compare")
    assert empty.status_code == 200
    assert "hardly chance" not in empty.text


def test_a_leaderboard_that_is_away_is_said(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "model-board$", 503, times=9)
    assert visitor.get(BOARD).status_code == 503


def test_rows_are_moved_by_utility_alone(visitor: Visitor) -> None:
    """The classic rule depends on who is there: a page can't move its rows by itself."""
    parts = f"{BOARD}/parts?w_performance=1&w_throughput=2&gamma=1&mode="
    assert '"model":"roberta-adv-v2"' in visitor.get(f"{parts}utility").text.replace(" ", "")
    assert '"models":[]' in visitor.get(f"{parts}classic").text.replace(" ", "")


def test_tied_models_are_joined_and_drawn_with_intervals(visitor: Visitor) -> None:
    page = visitor.get(BOARD).text
    rows = re.findall(r'<tr class="([^"]*)" data-board-row="([^"]*)"', page)
    assert [(name, style.split()) for style, name in rows] == [
        ("roberta-adv-v2", ["band", "band-first"]),
        ("deberta-mix-v1", ["own-row", "band", "band-last"]),
        ("sentiment-minilm", ["band", "band-first"]),
        ("offline", ["band", "band-last"]),
    ]
    bars = re.findall(r'<svg class="score-bar".*?</svg>', page)
    assert [bar.count('class="whisker"') for bar in bars] == [3, 3, 3, 0]


@pytest.mark.parametrize(
    ("rule", "groups", "expected"),
    [
        ("no models", [], []),
        ("a model alone is not tied", [0, 1], ["", ""]),
        ("a band has two ends", [0, 0, 1], ["first", "last", ""]),
        ("a band has a middle", [0, 1, 1, 1, 1], ["", "first", "middle", "middle", "last"]),
        ("models without a group are not tied", [None, None], ["", ""]),
    ],
)
def test_bands_join_tied_models(rule: str, groups: list[int | None], expected: list[str]) -> None:
    assert bands(groups) == expected, rule


def test_the_weights_are_open_only_with_weights_in_the_address(visitor: Visitor) -> None:
    def drawer(query: str) -> str:
        found = re.search(r'<details id="weights"[^>]*>', visitor.get(f"{BOARD}{query}").text)
        return found.group() if found else ""

    assert "open" not in drawer("")
    assert "open" not in drawer("?external=1")
    assert "open" in drawer("?w_performance=1")
    assert "open" in drawer("?gamma=0.8")


def test_a_metric_that_is_not_measured_is_off(visitor: Visitor) -> None:
    page = visitor.get(BOARD).text
    (field,) = re.findall(r'<input type="number" id="w-memory"[^>]*>', page)
    assert field.endswith('value="" disabled>')
    assert 'title="none of these datasets measures it, so it does not count">off: not measured<' in page


def test_the_board_comes_before_its_weights(visitor: Visitor) -> None:
    page = visitor.get(BOARD).text
    assert page.index("data-board-row") < page.index('id="weights"') < page.index('id="board-more"')


def test_the_value_of_a_point_is_a_table(visitor: Visitor) -> None:
    table = visitor.get(BOARD).text.partition('id="prices-heading"')[2].partition("</table>")[0]
    rows = re.findall(r"<th scope=\"row\" class=\"words\">(.*?)</th><td>(.*?)</td>", table)
    assert [(re.sub(r"<[^>]*>", "", gain), points) for gain, points in rows] == [
        ("one point of macro F1", "1"),
        ("twice the baseline's speed", "2.10"),
        ("one point of fairness", "0.40"),
        ("one point of robustness", "0.60"),
    ]


def test_a_dataset_that_was_public_while_it_was_collected_is_marked(
    visitor: Visitor, fake: FakePlatform
) -> None:
    said = "public while it was collected"
    assert said not in visitor.get(BOARD).text
    fake.models.evaluations.sets[0]["public_at_once"] = True
    assert visitor.get(BOARD).text.count(said) == 1
    fake.fail("GET", "/evaluation-datasets$", 503, times=9)
    assert said not in visitor.get(BOARD).text
