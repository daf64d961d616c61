"""Single items of datasets: samples of variants, what models answer, and labels that may be wrong."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.object_store import S3ObjectStore
from dynabench_common.testing import Issuer
from evaluation.adapters import request_files
from evaluation.domain.items import Item
from flask.testing import FlaskClient

from services.evaluation.tests.integration.test_evaluation_of_releases import (
    Evaluating,
    evaluating,
    released,
    says,
)
from services.evaluation.tests.integration.test_evaluation_uploads import (
    API,
    GOLDS,
    TEXTS,
    line,
    send,
    upload,
)
from services.scoring.tests.conftest import Story

__all__ = ["evaluating", "released"]
ITEMS = 30
Get = Callable[..., Any]


@pytest.fixture
def numbered(client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating) -> UUID:
    """Return a dataset whose texts are all different, which is ready."""
    lines = [line(each, input={"text": f"{TEXTS[each % 3]} Number {each}."}) for each in range(ITEMS)]
    answer = upload(client, lines, owner)
    assert answer.status_code == 201, answer.text
    evaluating.settle()
    return UUID(answer.get_json()["dataset_id"])


def right_below(number: int, wrong: int | None = None) -> Callable[[Mapping[str, str]], Mapping[str, Any]]:
    """Return what is right on the items below a number, but for one."""

    def answer(instance: Mapping[str, str]) -> Mapping[str, Any]:
        digits = "".join(each for each in instance["text"].split("umber")[-1] if each.isdigit())
        place = int(digits or 0)
        is_right = place < number and place != wrong
        return says(GOLDS[place % 3] if is_right else GOLDS[(place + 1) % 3])(instance)

    return answer


def test_samples_stand_beside_their_variants(client: FlaskClient, numbered: UUID) -> None:
    path = f"{API}/evaluation-datasets/{numbered}/samples"
    found = client.get(f"{path}?number=4").get_json()
    assert len(found["items"]) == 4
    dataset = client.get(f"{API}/evaluation-datasets/{numbered}").get_json()
    rules = {rule["name"]: rule for rule in client.get(f"{API}/metrics").get_json()["variants"]}
    for item in found["items"]:
        assert item["variants"]
        assert item["golds"][0] in GOLDS
        for variant in item["variants"]:
            assert (variant["kind"], variant["summary"]) == (
                rules[variant["rule"]]["kind"],
                rules[variant["rule"]]["summary"],
            )
            assert (variant["context"], variant["input"]) != (item["context"], item["input"])
    assert client.get(f"{path}?number=4").get_json() == found
    others = client.get(f"{path}?number=4&seed=1").get_json()["items"]
    assert [each["id"] for each in others] != [each["id"] for each in found["items"]]
    whole = client.get(f"{path}?number=20&seed=3").get_json()["items"]
    assert sum(len(each["variants"]) for each in whole) <= sum(dataset["variants"].values())
    assert client.get(f"{path}?number=0").status_code == 422
    assert client.get(f"{API}/evaluation-datasets/{uuid4()}/samples").status_code == 404


def test_an_item_is_shown_with_the_answers_to_it(
    client: FlaskClient, numbered: UUID, owner: dict[str, str], evaluating: Evaluating
) -> None:
    path = f"{API}/evaluation-datasets/{numbered}/item"
    assert client.get(f"{path}?id=i4").get_json()["answers"] == []
    evaluating.models.add("good", right_below(ITEMS))
    evaluating.models.add("bad", says("neutral"))
    evaluating.settle()
    answers = [{"id": f"i{each}", "answer": "negative"} for each in range(ITEMS)]
    send(client, f"/evaluation-datasets/{numbered}/predictions?model=away", answers, owner)
    evaluating.settle()
    found = client.get(f"{path}?id=i5").get_json()
    assert (found["input"]["text"], found["golds"]) == (f"{TEXTS[2]} Number 5.", ["negative"])
    told = {
        each["model"]: (each["answer"], each["right"], each["prediction_only"]) for each in found["answers"]
    }
    assert told == {
        "away": ("negative", True, True),
        "bad": ("neutral", False, False),
        "good": ("negative", True, False),
    }
    assert client.get(f"{path}?id=nobody").get_json()["type"].endswith("item-not-found")
    assert client.get(path).status_code == 422


def test_unpublished_models_answers_are_for_their_submitters_and_owners(
    client: FlaskClient, numbered: UUID, owner: dict[str, str], evaluating: Evaluating, issuer: Issuer
) -> None:
    submitter = uuid4()
    evaluating.models.add("mine", says("neutral"), submitter)
    evaluating.models.live = lambda: [  # type: ignore[method-assign]
        each.__class__(*(each.name, each.task_slug, "sha256:x", "sha256:h", submitter), published=False)
        for each in type(evaluating.models).live(evaluating.models)
    ]
    evaluating.settle()
    path = f"{API}/evaluation-datasets/{numbered}/item?id=i4"
    assert client.get(path).get_json()["answers"] == []
    for headers in (owner, issuer.headers(submitter, ["annotator"])):
        assert len(client.get(path, headers=headers).get_json()["answers"]) == 1


def test_an_item_that_better_models_get_wrong_is_a_suspect(
    client: FlaskClient, numbered: UUID, owner: dict[str, str], evaluating: Evaluating, issuer: Issuer
) -> None:
    path = f"{API}/evaluation-datasets/{numbered}/suspects"
    few = client.get(path, headers=owner).get_json()
    assert (few["models"], few["fewest_models"], few["items"]) == ([], 5, [])
    for number, below in enumerate((30, 27, 24)):
        evaluating.models.add(f"better{number}", right_below(below, wrong=4))
    for number, below in enumerate((12, 9)):
        evaluating.models.add(f"worse{number}", right_below(below))
    evaluating.settle()
    found = client.get(path, headers=owner).get_json()
    assert len(found["models"]) == 5
    assert [(each["id"], each["right"]) for each in found["items"]] == [("i4", 2)]
    assert found["items"][0]["correlation"] < -0.9
    assert (found["below"], found["measured"]) == (1, found["measured"])
    assert client.get(path).status_code == 401
    assert client.get(path, headers=issuer.headers(uuid4(), ["annotator"])).status_code == 403
    other = issuer.headers(uuid4(), ["annotator", "owner:nli"])
    assert client.get(path, headers=other).status_code == 403


def test_predictions_and_equal_models_do_not_make_suspects(
    client: FlaskClient, numbered: UUID, owner: dict[str, str], evaluating: Evaluating
) -> None:
    evaluating.models.add("one", right_below(ITEMS))
    evaluating.settle()
    (live,) = evaluating.models.live()
    twin = live.__class__(
        "twin", live.task_slug, live.model_digest, live.handler_digest, None, published=True
    )
    evaluating.models.live = lambda: [live, twin]  # type: ignore[method-assign]
    answers = [{"id": f"i{each}", "answer": "negative"} for each in range(ITEMS)]
    for number in range(5):
        send(client, f"/evaluation-datasets/{numbered}/predictions?model=away{number}", answers, owner)
    evaluating.settle()
    found = client.get(f"{API}/evaluation-datasets/{numbered}/suspects", headers=owner).get_json()
    assert (found["models"], found["items"]) == (["one"], [])


@pytest.mark.parametrize(
    ("access", "of_owners", "of_strangers"), [("open", 200, 200), ("scoring", 200, 403), ("hidden", 403, 403)]
)
def test_who_sees_the_items_of_a_dataset(
    access: str,
    of_owners: int,
    of_strangers: int,
    client: FlaskClient,
    story: Story,
    owner: dict[str, str],
    issuer: Issuer,
    evaluating: Evaluating,
) -> None:
    upload(client, [line(number) for number in range(20)], owner, "closed", access=access)
    while evaluating.preparer.turn():
        pass
    (dataset,) = client.get(f"{API}/evaluation-datasets").get_json()["items"]
    base = f"{API}/evaluation-datasets/{dataset['dataset_id']}"
    stranger = issuer.headers(uuid4(), ["annotator", "owner:nli"])
    for path in ("samples", "item?id=i1", "suspects"):
        assert client.get(f"{base}/{path}", headers=owner).status_code == of_owners, path
        answer = client.get(f"{base}/{path}", headers=stranger)
        assert answer.status_code == (403 if path == "suspects" else of_strangers), path
        if access == "hidden":
            assert answer.get_json()["type"].endswith("items-not-shown")


def test_a_dataset_that_is_prepared_says_so(client: FlaskClient, story: Story, owner: dict[str, str]) -> None:
    dataset_id = upload(client, [line(0)], owner).get_json()["dataset_id"]
    for path in ("samples", "item?id=i0"):
        answer = client.get(f"{API}/evaluation-datasets/{dataset_id}/{path}", headers=owner)
        assert answer.get_json()["type"].endswith("dataset-not-ready")


@pytest.mark.parametrize(
    ("query", "number", "first_ids"),
    [
        ("", 21, ["i0", "i2", "i3"]),
        ("&right=first", 18, ["i0", "i2", "i3"]),
        ("&right=second", 1, ["i28"]),
        ("&right=neither", 2, ["i5", "i29"]),
        ("&label=negative", 10, ["i2", "i5", "i8"]),
        ("&label=negative&right=neither", 2, ["i5", "i29"]),
        ("&label=other", 0, []),
        ("&offset=20", 21, ["i29"]),
        ("&limit=1&offset=1", 21, ["i2"]),
    ],
)
def test_items_on_which_two_models_differ_are_found_by_who_is_right_and_label(
    query: str, number: int, first_ids: list[str], client: FlaskClient, numbered: UUID, evaluating: Evaluating
) -> None:
    evaluating.models.add("good", right_below(28, wrong=5))
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    path = f"{API}/evaluation-datasets/{numbered}/comparison/items?first=good&second=neutral"
    found = client.get(path + query).get_json()
    assert (found["number"], [each["id"] for each in found["items"]][:3]) == (number, first_ids)


def test_pages_of_compared_items_fetch_the_answers_and_parse_the_items_once(
    client: FlaskClient, numbered: UUID, evaluating: Evaluating, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluating.models.add("good", right_below(28, wrong=5))
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    fetched: list[str] = []
    fetch = S3ObjectStore.fetch

    def noted(store: S3ObjectStore, key: str, path: Path) -> None:
        fetched.append(key)
        fetch(store, key, path)

    parsed: list[Path] = []
    read_items = request_files.read_items

    def noted_parsing(path: Path) -> Iterator[Item]:
        parsed.append(path)
        return read_items(path)

    monkeypatch.setattr(S3ObjectStore, "fetch", noted)
    monkeypatch.setattr(request_files, "read_items", noted_parsing)
    base = f"{API}/evaluation-datasets/{numbered}/comparison"
    for query in ("", "&limit=1", "&offset=1", "&right=first&label=negative"):
        assert client.get(f"{base}/items?first=good&second=neutral{query}").status_code == 200
    assert client.get(f"{base}?first=good&second=neutral").status_code == 200
    assert len([key for key in fetched if key.startswith("predictions/")]) == 2
    assert len(fetched) == len(set(fetched))
    assert len(parsed) <= 1


def test_an_item_on_which_two_models_differ_has_its_text_and_both_answers(
    client: FlaskClient, numbered: UUID, evaluating: Evaluating
) -> None:
    evaluating.models.add("good", right_below(ITEMS))
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    path = f"{API}/evaluation-datasets/{numbered}/comparison/items"
    item = client.get(f"{path}?first=good&second=neutral").get_json()["items"][0]
    assert (item["input"]["text"], item["golds"]) == (f"{TEXTS[0]} Number 0.", ["positive"])
    assert (item["first"], item["second"]) == ("positive", "neutral")
    assert (item["first_is_right"], item["second_is_right"]) == (True, False)
    assert client.get(f"{path}?first=good&second=nobody").status_code == 404
    assert client.get(f"{path}?first=good&second=neutral&right=both").status_code == 422


def test_texts_are_compared_only_for_those_who_see_the_items(
    client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating
) -> None:
    evaluating.models.add("good", says("positive"))
    evaluating.models.add("neutral", says("neutral"))
    for access, statuses in (("open", (200, 200)), ("scoring", (200, 403)), ("hidden", (403, 403))):
        lines = [line(number) for number in range(20)]
        dataset_id = upload(client, lines, owner, access, access=access).get_json()["dataset_id"]
        evaluating.settle()
        path = f"{API}/evaluation-datasets/{dataset_id}/comparison/items?first=good&second=neutral"
        answers = client.get(path, headers=owner), client.get(path)
        assert tuple(answer.status_code for answer in answers) == statuses, access


def test_a_hidden_item_is_shown_nowhere(
    client: FlaskClient, released: UUID, owner: dict[str, str], evaluating: Evaluating
) -> None:
    evaluating.models.add("good", says("positive"))
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    base = f"{API}/evaluation-datasets/{released}"
    differing = f"{base}/comparison/items?first=good&second=neutral"
    compared = f"{base}/comparison?first=good&second=neutral"
    before, whole = client.get(differing).get_json(), client.get(compared).get_json()
    hidden = whole["items"][0]["id"]
    reason = {"reason": "It names a person."}
    answer = client.put(f"{API}/public-examples/{hidden}/hidden", headers=owner, json=reason)
    assert answer.status_code == 200, answer.text
    after = client.get(differing).get_json()
    assert after["number"] == before["number"] - 1
    assert hidden not in {each["id"] for each in after["items"]}
    still = client.get(compared).get_json()
    assert still == {**whole, "items": [each for each in whole["items"] if each["id"] != hidden]}
    assert client.get(f"{base}/item?id={hidden}").status_code == 404
    samples = client.get(f"{base}/samples?number=20").get_json()["items"]
    assert hidden not in {each["id"] for each in samples}
