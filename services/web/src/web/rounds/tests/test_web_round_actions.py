"""Moving, re-targeting and releasing a round, and drafting the next: said first, then done."""

import pytest
from web_fake_datasets import DATASET_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

BASE = "/tasks/sentiment/rounds/3"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def state_of(fake: FakePlatform) -> str:
    state: str = fake.loop.rounds[fake.loop.round_id]["state"]
    return state


def test_closing_says_first_what_it_does(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(f"{BASE}/state/closed").text
    for words in (
        "Close Round 3?",
        "3 · people who are writing right now",
        "92\u00a0examples wait for votes. 60 of them fooled a model.",
        "4\u00a0people are checking examples now.",
    ):
        assert words in page
    assert state_of(fake) == "open"


def test_an_owner_pauses_opens_closes_and_reopens(olga: Visitor, fake: FakePlatform) -> None:
    for state, reason in (("paused", ""), ("open", ""), ("closed", "Goal reached."), ("open", "Too early.")):
        answer = olga.post(f"{BASE}/state/{state}", reason=reason)
        assert answer.headers["Location"] == f"{BASE}/standing?notice=state-{state}"
        assert state_of(fake) == state
    sent = [body for method, path, body in fake.calls if method == "PUT" and path.endswith("/state")]
    assert sent == [
        {"state": "paused"},
        {"state": "open"},
        {"state": "closed", "reason": "Goal reached."},
        {"state": "open", "reason": "Too early."},
    ]


def test_what_stands_in_the_way_is_told_instead_of_a_form(olga: Visitor, fake: FakePlatform) -> None:
    fake.owners.blockers = [{"text": "The round has no context.", "remedy": "Add contexts first."}]
    page = olga.get(f"{BASE}/state/open").text
    assert "Add contexts first." in page
    assert f'action="{BASE}/state/open"' not in page


def test_a_refused_move_keeps_the_reason(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("PUT", "/state$", 409, detail="A released round stays released.")
    answer = olga.post(f"{BASE}/state/open", reason="We need more.")
    assert answer.status_code == 409
    assert "A released round stays released." in answer.text
    assert "We need more.</textarea>" in answer.text


def test_a_round_can_be_moved_while_its_preview_is_away(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/state/preview$", 503, times=2)
    answer = olga.get(f"{BASE}/state/paused")
    assert answer.status_code == 200
    assert "checked again when you confirm" in answer.text


def test_no_other_state_has_a_page(olga: Visitor) -> None:
    assert olga.get(f"{BASE}/state/released").status_code == 404


def test_targets_are_chosen_among_those_that_fit(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(f"{BASE}/targets").text
    assert 'value="sentiment-minilm" checked' in page
    assert "no longer served" in page
    answer = olga.post(f"{BASE}/targets", target="sentiment-cnn", reason="The other is too easy.")
    assert answer.headers["Location"] == f"{BASE}/standing?notice=targets-changed"
    assert fake.owners.moves == [{"targets": ["sentiment-cnn"], "reason": "The other is too easy."}]


def test_taking_all_targets_away_is_confirmed_first(olga: Visitor, fake: FakePlatform) -> None:
    refused = olga.post(f"{BASE}/targets", reason="A control arm.")
    assert refused.status_code == 409
    assert 'name="confirm_no_targets"' in refused.text
    assert "nobody is fooled until models are back" in refused.text
    assert fake.owners.moves == []
    done = olga.post(f"{BASE}/targets", reason="A control arm.", confirm_no_targets="1")
    assert done.headers["Location"] == f"{BASE}/standing?notice=targets-changed"
    assert fake.owners.moves == [{"targets": [], "reason": "A control arm.", "confirm_no_targets": True}]


def test_targets_change_for_a_reason_only(olga: Visitor, fake: FakePlatform) -> None:
    answer = olga.post(f"{BASE}/targets", target="sentiment-cnn", reason="  ")
    assert answer.status_code == 422
    assert 'value="sentiment-cnn" checked' in answer.text
    assert fake.owners.moves == []


def test_the_board_proposes_the_targets_of_the_next_round(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(f"{BASE}/next").text
    assert 'value="sentiment-cnn" checked' in page
    assert 'value="sentiment-minilm" checked' in page
    assert 'value="n-gram-b" checked' not in page
    for said in (
        "0.42 with sentiment-cnn",
        'title="no interval: its uncertainty is not known">(no interval)',
        "sentiment-round-1, version 1: train",
        "not stated",
        "Still being scored: tiny-x-v1.",
        "<strong>offline</strong>: it is not published",
    ):
        assert said in page
    answer = olga.post(f"{BASE}/next", title="after retraining", target="sentiment-cnn")
    assert answer.headers["Location"].endswith("?notice=round-drafted")
    assert fake.workshop.drafted == [{"targets": ["sentiment-cnn"], "title": "after retraining"}]


def test_before_a_promotion_it_tells_what_is_mended_and_what_is_forgotten(olga: Visitor) -> None:
    page = olga.get(f"{BASE}/next").text
    assert "sentiment-round-2" in page
    assert "<td>145</td><td>81</td><td>720</td>" in page
    assert "(4.8 – 12.9)" in page
    assert page.count('<td class="words">better</td>') == 2


def test_the_next_round_is_drafted_while_the_board_or_the_models_are_away(
    olga: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/target-proposals$", 503, times=2)
    assert "there are no suggestions" in olga.get(f"{BASE}/next").text
    fake.fail("GET", "/models$", 503, times=2)
    page = olga.get(f"{BASE}/next").text
    assert "the round gets the same models, sentiment-minilm, n-gram-b" in page
    olga.post(f"{BASE}/next", same="1")
    assert fake.workshop.drafted == [{"targets": ["sentiment-minilm", "n-gram-b"]}]


def test_a_comparison_that_can_not_be_had_says_so(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/comparison$", 409, times=4)
    assert olga.get(f"{BASE}/next").text.count("one of them has no score here") >= 1


def test_a_release_is_previewed_with_its_sizes(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(f"{BASE}/release").text
    assert "92\u00a0examples wait for votes. 60 of them fooled a model." in page
    assert "92 examples still wait for votes." in page
    assert "29\u00a0authors" in page
    assert "One author wrote 23 % of the dataset." in page
    accepted = olga.get(f"{BASE}/release?accept_unresolved=1&dev=40").text
    assert "92 examples still wait for votes." not in accepted
    assert 'name="dev" inputmode="decimal" value="40"' in accepted
    explained = olga.get(f"{BASE}/release?explanations=1").text
    assert 'name="explanations" value="1" checked' in explained
    assert fake.owners.previewed[-1]["explanations"] == "true"
    assert fake.owners.released == []


def test_a_round_with_public_examples_starts_without_dev_and_test_and_says_why(
    olga: Visitor, fake: FakePlatform
) -> None:
    assert "keep dev and test at 0" not in olga.get(f"{BASE}/release").text
    fake.loop.public_examples = "at_once"
    page = olga.get(f"{BASE}/release").text
    for name in ("dev", "test"):
        assert f'name="{name}" inputmode="decimal" value="0"' in page
        assert fake.owners.previewed[-1][name] == "0.0"
    assert "keep dev and test at 0" in page
    olga.post(f"{BASE}/release", accept_unresolved="1")
    assert (fake.owners.released[-1]["dev"], fake.owners.released[-1]["test"]) == (0, 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dev", "x"),
        ("dev", "1.5"),
        ("test", "-1"),
        ("test", "nan"),
        ("test", "inf"),
        ("seed", "-1"),
        ("seed", "²"),
        ("seed", "9" * 12),
    ],
)
def test_sizes_that_are_no_numbers_are_refused_in_the_form(
    olga: Visitor, fake: FakePlatform, name: str, value: str
) -> None:
    for answer in (olga.get(f"{BASE}/release?{name}={value}"), olga.post(f"{BASE}/release", **{name: value})):
        assert answer.status_code == 422
        assert f'name="{name}"' in answer.text
        assert 'aria-invalid="true"' in answer.text
    assert fake.owners.released == []


def test_a_refused_release_keeps_what_was_typed(olga: Visitor) -> None:
    answer = olga.post(f"{BASE}/release", dev="31", description="Our first round.")
    assert answer.status_code == 409
    assert "92 examples still wait." in answer.text
    assert 'value="31"' in answer.text
    assert "Our first round.</textarea>" in answer.text


def test_a_release_is_followed_to_its_dataset(olga: Visitor, fake: FakePlatform) -> None:
    answer = olga.post(
        f"{BASE}/release",
        dev="31",
        test="0.2",
        seed="7",
        accept_unresolved="1",
        explanations="1",
        licence="MIT",
    )
    path = answer.headers["Location"]
    sent = {"dev": 31.0, "test": 0.2, "seed": 7, "licence": "MIT", "accept_unresolved": True}
    sent["explanations"] = True
    assert fake.owners.released == [sent]
    assert "drawing splits" in olga.get(path).text
    fragment = olga.get(f"{path}/progress")
    held = {"If-None-Match": fragment.headers["ETag"]}
    assert olga.get(f"{path}/progress", **held).status_code == 304
    fake.owners.release.update(step="storing files", progress=0.8)
    assert olga.get(f"{path}/progress", **held).status_code == 200
    fake.owners.release.update(state="done", progress=1.0, dataset_id=DATASET_ID)
    refreshed = olga.get(f"{path}/progress", **{"HX-Request": "true", **held})
    assert refreshed.headers["HX-Refresh"] == "true"
    assert f'href="/datasets/{DATASET_ID}"' in olga.get(path).text


def test_a_failed_release_says_why_and_what_to_do(olga: Visitor, fake: FakePlatform) -> None:
    error = {
        "kind": "objects-unavailable",
        "detail": "The object store was away.",
        "remedy": "Release it again.",
    }
    fake.owners.release.update(release_id="5e6f2c11-1111-4111-8111-111111111111", state="failed", error=error)
    page = olga.get(f"{BASE}/releases/{fake.owners.release['release_id']}").text
    assert "The object store was away." in page
    assert f'href="{BASE}/release"' in page
