"""The board of a task's models, its weights, and two models compared."""

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
        "one of 7 that its submitter sent",
        "target of round 2, 3",
        "predictions only",
        "answers nearly always the same",
        "its evaluation on sentiment-round-2 is under way",
        "One point of fairness is worth 0.40 points of the score.",
        "7.0 points",
    ):
        assert words in page.text, words
    for words in (
        "7 right answers fewer on sentiment-round-2 (of 720) and deberta-mix-v1 is level",
        "still lie up to about 1.4 points ahead by luck",
        "tied for the first place, and 3.1 times as fast as the others there",
        'aria-label="round 1: 61.0, round 2: 71.0"',
        'data-board-places="1 1 2"',
        "wider ones that its scores on sentiment-round-2 have",
        "(no interval)",
        "nothing tells what chance does to its fairness on sentiment-round-2",
    ):
        assert words in page.text, words
    assert page.text.index("roberta-adv-v2") < page.text.index("sentiment-minilm")


def test_people_stand_on_the_board_of_a_round_that_they_voted_on(
    visitor: Visitor, fake: FakePlatform
) -> None:
    page = visitor.get(BOARD).text
    assert "87.1\u00a0% (84.0–90.0) say what most of the others say, on 620 votes" in page
    assert "not how often people are right" in page
    fake.fail("GET", "human-estimate$", 404)
    assert "How far people agree is not known for any of these datasets" in visitor.get(BOARD).text


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
    assert "No model was scored yet" in page
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
        "of 310 contexts",
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
