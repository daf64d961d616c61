"""The owner's queue: listing, deciding, taking back, asking people anew."""

from uuid import uuid4

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

WORK = "/tasks/sentiment/rounds/3/work"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


@pytest.fixture
def cases(fake: FakePlatform) -> list[str]:
    return list(fake.owners.cases)


def test_the_queue_lists_what_waits(olga: Visitor, cases: list[str]) -> None:
    page = olga.get(WORK).text
    assert page.count('class="work-item"') == 3
    assert "most likely negative, 62.0\u00a0%" in page
    flagged = olga.get(f"{WORK}?kind=flagged").text
    assert flagged.count('class="work-item"') == 1
    assert f'href="{WORK}/{cases[1]}?kind=flagged"' in flagged


def test_an_empty_queue_says_so(olga: Visitor, fake: FakePlatform) -> None:
    filtered = olga.get(f"{WORK}?claimed=positive").text
    assert "No example matches the filter." in filtered
    fake.owners.work.clear()
    assert "without agreement, found unfit, appealed or doubtful" in olga.get(WORK).text


def test_a_case_shows_all_that_was_said(olga: Visitor, cases: list[str]) -> None:
    page = olga.get(f"{WORK}/{cases[0]}").text
    for words in (
        "The dog ate it because I would not.",
        "It only says that the dog was fed.",
        "No sense.",
        "The second voter missed the dog.",
        "negative, 62.0\u00a0%",
        "disagrees with the author",
    ):
        assert words in page, words
    assert f'href="{WORK}/{cases[1]}" data-key="n"' in page


@pytest.mark.parametrize(
    ("choice", "sent"),
    [("option:positive", {"kind": "label", "value": "positive"}), ("flag", {"kind": "flag"})],
)
def test_after_a_decision_comes_the_next(
    olga: Visitor, fake: FakePlatform, cases: list[str], choice: str, sent: dict[str, str]
) -> None:
    form = {"choice": choice, "reason": " It is sarcasm. ", "next": cases[1]}
    answer = olga.post(f"{WORK}/{cases[0]}", **form)
    assert answer.headers["Location"] == f"{WORK}/{cases[1]}?notice=adjudicated"
    decided = fake.owners.decisions[0]
    assert {name: decided[name] for name in (*sent, "reason")} == {**sent, "reason": "It is sarcasm."}


def test_the_filter_stays_until_nothing_is_left(olga: Visitor, cases: list[str]) -> None:
    answer = olga.post(f"{WORK}/{cases[0]}?kind=disputed", choice="flag", reason="No sense.")
    assert answer.headers["Location"] == f"{WORK}?kind=disputed&notice=adjudicated-last"


def test_the_next_example_is_none_of_another_page(olga: Visitor, cases: list[str]) -> None:
    answer = olga.post(f"{WORK}/{cases[0]}", choice="flag", reason="No sense.", next="../../evil")
    assert answer.headers["Location"] == f"{WORK}/{cases[1]}?notice=adjudicated"


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"reason": "Because."}, "The decision is missing."),
        ({"choice": "option:positive"}, "The reason is missing."),
        ({"choice": "option:positive", "reason": "x" * 1001}, "The reason has 1,001 characters."),
    ],
)
def test_a_decision_needs_an_answer_and_a_reason(
    olga: Visitor, fake: FakePlatform, cases: list[str], form: dict[str, str], words: str
) -> None:
    answer = olga.post(f"{WORK}/{cases[0]}", **form)
    assert answer.status_code == 422
    assert words in answer.text
    assert fake.owners.decisions == []
    if "choice" in form:
        assert 'value="option:positive" data-key="3" checked' in answer.text


def test_a_refused_decision_is_told_in_the_form(olga: Visitor, fake: FakePlatform, cases: list[str]) -> None:
    fake.fail("PUT", "/adjudication$", 403, detail="Owners don't decide on examples that they wrote.")
    answer = olga.post(f"{WORK}/{cases[0]}", choice="flag", reason="No sense.")
    assert answer.status_code == 403
    assert "decide on examples that they wrote" in answer.text
    assert "No sense.</textarea>" in answer.text


def test_a_decision_is_taken_back(olga: Visitor, fake: FakePlatform, cases: list[str]) -> None:
    olga.post(f"{WORK}/{cases[0]}", choice="flag", reason="No sense.")
    page = olga.get(f"{WORK}/{cases[0]}").text
    assert "Change the decision" in page
    answer = olga.post(f"{WORK}/{cases[0]}/reversal")
    assert answer.headers["Location"] == f"{WORK}/{cases[0]}?notice=reversed"
    assert fake.owners.votes[cases[0]]["adjudication"] is None


def test_a_duplicate_is_named_and_may_be_let_count(
    olga: Visitor, fake: FakePlatform, cases: list[str]
) -> None:
    page = olga.get(f"{WORK}/{cases[0]}").text
    assert "Duplicate of an earlier example" not in page
    fake.owners.cases[cases[0]]["duplicate_of"] = cases[1]
    page = olga.get(f"{WORK}/{cases[0]}").text
    assert "Duplicate of an earlier example" in page
    assert f'href="{WORK}/{cases[1]}"' in page
    refused = olga.post(f"{WORK}/{cases[0]}/duplicate-overruling", reason=" ")
    assert refused.status_code == 422
    assert "The reason is missing." in refused.text
    answer = olga.post(f"{WORK}/{cases[0]}/duplicate-overruling", reason="It was retold on purpose.")
    assert answer.headers["Location"] == f"{WORK}/{cases[0]}?notice=duplicate-overruled"
    assert fake.owners.overruled == [{"example_id": cases[0], "reason": "It was retold on purpose."}]
    page = olga.get(answer.headers["Location"]).text
    assert "The example counts as any other now." in page
    assert "Duplicate of an earlier example" not in page


def test_an_example_of_another_round_is_not_decided_here(
    olga: Visitor, fake: FakePlatform, cases: list[str]
) -> None:
    fake.owners.cases[cases[0]]["round_id"] = str(uuid4())
    assert olga.get(f"{WORK}/{cases[0]}").status_code == 404
    assert olga.post(f"{WORK}/{cases[0]}", choice="flag", reason="No sense.").status_code == 404
    assert fake.owners.decisions == []


def test_people_are_asked_anew_after_confirming(olga: Visitor, fake: FakePlatform, cases: list[str]) -> None:
    query = f"example_id={cases[0]}&example_id={cases[1]}&example_id={cases[0]}&example_id=nonsense"
    page = olga.get(f"{WORK}/requeue?{query}").text
    assert "2 examples are checked again" in page
    assert fake.owners.requeued == []
    answer = olga.post(f"{WORK}/requeue", example_id=cases[:2], reason="The guidelines changed.")
    assert answer.headers["Location"] == f"{WORK}?notice=requeued"
    assert fake.owners.requeued == [{"example_ids": cases[:2], "reason": "The guidelines changed."}]


def test_asking_anew_needs_examples_and_a_reason(olga: Visitor, fake: FakePlatform, cases: list[str]) -> None:
    assert "No example is chosen" in olga.get(f"{WORK}/requeue").text
    assert olga.post(f"{WORK}/requeue", reason="x").status_code == 422
    assert olga.post(f"{WORK}/requeue", example_id=cases[0]).status_code == 422
    assert fake.owners.requeued == []


def test_a_span_is_decided_by_marking_it(visitor: Visitor, fake: FakePlatform, cases: list[str]) -> None:
    task = fake.loop.add("qa", number=1)
    fake.add_person("otto", f"owner:{task.slug}")
    visitor.sign_in("otto")
    case = fake.owners.cases[cases[0]]
    passage = task.contexts[0]["fields"]
    written = {"question": "Where?"}
    case.update(
        round_id=task.round_id, task_slug=task.slug, context=passage, input=written, claimed=None, answers=[]
    )
    fake.owners.votes[cases[0]]["items"] = []
    path = f"/tasks/{task.slug}/rounds/1/work/{cases[0]}"
    assert "the answer below" in visitor.get(path).text
    text = next(value for value in passage.values() if isinstance(value, str))
    words = text.split()[0]
    answer = visitor.post(path, **{"choice": "answer", "decision.value": words, "reason": "It says so."})
    assert answer.status_code == 303, answer.text
    assert fake.owners.decisions[0]["value"]["text"] == words
    refused = visitor.post(
        path, **{"choice": "answer", "decision.value": "not there", "reason": "It says so."}
    )
    assert refused.status_code == 422
