"""Canaries, made-up words in hidden datasets: their requests, their detection, and access to findings."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench.model.v1 import model_pb2 as model
from dynabench_common.events.cloud_events import Event
from dynabench_common.testing import Issuer
from evaluation.adapters.canary_store import SqlCanaries
from evaluation.adapters.request_store import PredictionStore, RequestStore
from evaluation.adapters.tables import canary, evaluation, evaluation_dataset, leak
from evaluation.domain.canaries import Place
from evaluation.domain.items import CANARY, ORIGINAL
from flask.testing import FlaskClient
from scoring.adapters.tables import outbox
from sqlalchemy import Engine

from services.evaluation.tests.integration.test_evaluation_of_releases import Evaluating, evaluating, says
from services.evaluation.tests.integration.test_evaluation_uploads import API, line, send, upload
from services.scoring.tests.conftest import START, Story
from services.scoring.tests.integration.conftest import Feed

__all__ = ["evaluating"]
Headers = Mapping[str, str]
SPAN = {"name": "answer", "type": "span", "of": "text"}
ANSWER = {"name": "answer", "type": "string"}
SPANS = {
    "input": [{"name": "text", "type": "string"}, SPAN],
    "output": [SPAN],
    "validation": {"vote": "judgement", "gold": "author_confirmed", "validate": "fooling"},
}


class Hidden:
    """A hidden dataset of thirty items that is ready, and what is known of it inside."""

    def __init__(self, client: FlaskClient, evaluating: Evaluating, owner: Headers) -> None:
        self.client, self.evaluating, self.owner = client, evaluating, owner
        self.dataset_id = self.add("secret")

    def add(self, name: str, **changes: Any) -> UUID:
        lines = [line(number, **changes) for number in range(30)]
        answer = upload(self.client, lines, self.owner, name, access="hidden")
        assert answer.status_code == 201, answer.text
        self.evaluating.settle()
        return UUID(answer.get_json()["dataset_id"])

    def words(self, dataset_id: UUID | None = None) -> list[str]:
        wanted = dataset_id or self.dataset_id
        return sorted(row.word for row in self.evaluating.rows(canary) if row.dataset_id == wanted)

    def leaks(self, dataset_id: UUID | None = None, headers: Headers | None = None) -> Any:
        path = f"{API}/evaluation-datasets/{dataset_id or self.dataset_id}"
        answer = self.client.get(path, headers=self.owner if headers is None else headers)
        return answer.get_json()["leaks"]

    def places(self) -> list[tuple[str, str]]:
        return [(each["place"], each["name"]) for each in self.leaks()["items"]]


@pytest.fixture
def hidden(client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating) -> Hidden:
    return Hidden(client, evaluating, owner)


def card(long_words: Sequence[str], version: int = 5, submission_id: UUID | None = None) -> Event:
    found = submission_id or uuid4()
    message = model.ModelCardChanged(
        submission_id=str(found), serving_name="minilm-a-v3", task_slug="sentiment",
        submitted_by=str(uuid4()), changed_at=START, long_words=long_words,
    )  # fmt: skip
    name = message.DESCRIPTOR.full_name
    return Event(uuid4(), name, "/registry", START, found, version, message, name.rsplit(".", 1)[0])


def tried(story: Story, text: str) -> Event:
    event = story.tried("negative", ["neutral", "neutral"])
    event.message.input["text"] = text  # type: ignore[attr-defined]
    return event


def test_made_up_words_are_asked_and_count_nowhere(
    hidden: Hidden, engine: Engine, store: Any, tmp_path: Any
) -> None:
    asked: list[str] = []

    def answer(instance: Mapping[str, str]) -> Mapping[str, Any]:
        asked.append(" ".join(instance.values()))
        return {"label": "neutral", "probabilities": {}}

    hidden.evaluating.models.add("neutral", answer)
    hidden.evaluating.settle()
    words = hidden.words()
    assert len(words) == 3
    assert [sum(word in text for text in asked) for word in words] == [1, 1, 1]
    shown = hidden.client.get(f"{API}/evaluation-datasets/{hidden.dataset_id}").get_json()
    assert shown["requests"] == 30 + sum(shown["variants"].values()) + 3
    assert not any(rule.startswith(CANARY) for rule in shown["variants"])
    (found,) = hidden.client.get(f"{API}/evaluations?dataset_id={hidden.dataset_id}").get_json()["items"]
    values = {each["metric"]: each for each in found["values"]}
    assert (values["accuracy"]["n"], values["accuracy"]["value"]) == (30, 33.33)
    assert values["robustness"]["value"] == 100.0
    (row,) = hidden.evaluating.rows(evaluation)
    stored = PredictionStore(store, tmp_path)._kept.path(row.predictions_key).read_bytes()
    assert CANARY.encode() not in stored
    assert hidden.leaks() == {"words": 3, "found": 0, "items": []}


@pytest.mark.parametrize(("access", "is_apart"), [("open", False), ("scoring", True), ("hidden", True)])
def test_texts_that_not_everybody_may_see_are_answered_apart(
    access: str,
    is_apart: bool,
    client: FlaskClient,
    story: Story,
    owner: dict[str, str],
    evaluating: Evaluating,
) -> None:
    upload(client, [line(0)], owner, access=access)
    for name, label in (("base", "neutral"), ("mine", "negative")):
        evaluating.models.add(name, says(label), None if name == "base" else uuid4())
    evaluating.settle()
    ids = {row.evaluation_id for row in evaluating.rows(evaluation)}
    assert len(ids) == 2
    assert evaluating.models.isolated == (ids if is_apart else {None})


@pytest.mark.parametrize("access", ["open", "scoring"])
def test_only_hidden_datasets_have_made_up_words(
    access: str, client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating
) -> None:
    dataset_id = upload(client, [line(0)], owner, access=access).get_json()["dataset_id"]
    evaluating.settle()
    assert evaluating.rows(canary) == []
    (row,) = evaluating.rows(evaluation_dataset)
    assert row.requests_key.endswith(".parquet")
    assert row.requests_key.count("-") == "evaluation-datasets/sha256-/requests-".count("-")
    shown = client.get(f"{API}/evaluation-datasets/{dataset_id}", headers=owner).get_json()
    assert shown["leaks"] is None


def test_a_small_dataset_has_as_many_as_items(
    client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating
) -> None:
    upload(client, [line(0)], owner, access="hidden")
    evaluating.models.add("neutral", says("neutral"))
    evaluating.settle()
    assert len(evaluating.rows(canary)) == 1
    (found,) = evaluating.rows(evaluation)
    assert found.state == "done"


def test_equal_items_and_new_versions_have_words_of_their_own(hidden: Hidden) -> None:
    hidden.evaluating.models.add("neutral", says("neutral"))
    hidden.evaluating.settle()
    asked = hidden.evaluating.models.asked
    twin = hidden.add("twin")
    again = hidden.add("secret", tags=["new"])
    rows = {row.dataset_id: row for row in hidden.evaluating.rows(evaluation_dataset)}
    assert rows[hidden.dataset_id].digest == rows[twin].digest
    assert rows[again].version == 2
    assert len({row.requests_key for row in rows.values()}) == 3
    assert len({word for each in rows for word in hidden.words(each)}) == 9
    assert hidden.evaluating.models.asked >= asked + rows[twin].requests + rows[again].requests
    assert {hidden.leaks(each)["found"] for each in rows} == {0}
    assert hidden.add("twin") == twin
    assert len(hidden.evaluating.rows(canary)) == 9


def test_who_is_told(hidden: Hidden, issuer: Issuer) -> None:
    for roles in (["annotator"], ["annotator", "owner:nli"]):
        assert hidden.leaks(headers=issuer.headers(uuid4(), roles)) is None
    assert hidden.leaks(headers={}) is None
    assert hidden.leaks(headers=issuer.headers(uuid4(), ["annotator", "owner:sentiment"]))["words"] == 3
    listed = hidden.client.get(f"{API}/evaluation-datasets", headers=hidden.owner).get_json()["items"]
    assert [each["leaks"] for each in listed] == [None]


def test_a_model_that_repeats_what_it_is_asked_leaks_nothing(
    client: FlaskClient,
    engine: Engine,
    story: Story,
    feed: Feed,
    owner: dict[str, str],
    evaluating: Evaluating,
) -> None:
    feed(engine, [story.configured(2, **SPANS)])

    def echo(instance: Mapping[str, str]) -> Mapping[str, Any]:
        text = instance["text"]
        return {"start": 0, "end": len(text), "text": text}

    text = "It rained on Monday."
    label = {"start": 0, "end": 2, "text": "It"}
    lines = [line(number, input={"text": text}, label=label) for number in range(30)]
    dataset_id = upload(client, lines, owner, access="hidden").get_json()["dataset_id"]
    evaluating.models.add("echo", echo)
    evaluating.settle()
    words = [row.word for row in evaluating.rows(canary)]
    (found,) = evaluating.rows(evaluation)
    assert (found.state, len(words)) == ("done", 3)
    assert evaluating.rows(leak) == []

    evaluating.models.add("parrot", lambda _: {"error": {"detail": f"I recall {words[0].upper()}!"}})
    evaluating.models.add("spans", echo)
    other = [line(number, input={"text": f"({words[1].title()})."}, label=None) for number in range(2)]
    spans = [{**each, "label": {"start": 0, "end": 2, "text": f"({words[1][0].upper()}"}} for each in other]
    assert upload(client, spans, owner, "copied").status_code == 201
    evaluating.settle()
    path = f"{API}/evaluation-datasets/{dataset_id}"
    told = client.get(path, headers=owner).get_json()["leaks"]
    found_in = sorted((each["place"], each["name"]) for each in told["items"])
    # The parrot says a word on both datasets; who repeats the copied items only says what it is asked.
    assert found_in == [("answers", "parrot"), ("answers", "parrot"), ("dataset", "copied, version 1")]
    assert told["found"] == 3


def test_uploaded_predictions_are_looked_through(
    hidden: Hidden, engine: Engine, story: Story, feed: Feed, issuer: Issuer
) -> None:
    first, second, _ = hidden.words()
    written = [{"name": "text", "type": "string"}, ANSWER]
    feed(engine, [story.configured(2, **{**SPANS, "input": written, "output": [ANSWER]})])
    item = line(0, input={"text": f"It rained, {first.upper()}."}, label="rain")
    made = upload(hidden.client, [item], hidden.owner, "open-set")
    assert made.status_code == 201, made.text
    hidden.evaluating.settle()
    path = f"/evaluation-datasets/{made.get_json()['dataset_id']}/predictions?model="
    for name, said in (("repeats", first), ("remembers", f"{first} and {second}")):
        submitter = issuer.headers(uuid4(), ["annotator"])
        answer = send(hidden.client, path + name, [{"id": "i0", "answer": said}], submitter)
        assert answer.status_code == 202, answer.text
    hidden.evaluating.settle()
    assert sorted(hidden.places()) == [("answers", "remembers"), ("dataset", "open-set, version 1")]


def test_an_evaluation_that_is_finished_again_is_one_place(hidden: Hidden) -> None:
    (word, *_) = hidden.words()
    recall = {"error": {"detail": f"remembered: {word}"}}
    hidden.evaluating.models.add("leaky", lambda _: recall)
    hidden.evaluating.settle()
    assert hidden.places() == [("answers", "leaky")]
    (found,) = hidden.evaluating.rows(evaluation)
    with hidden.evaluating.app.unit_of_work() as uow:
        uow.evaluations.queue_again(found.evaluation_id, hidden.evaluating.clock.now())
        uow.commit()
    hidden.evaluating.settle()
    assert hidden.places() == [("answers", "leaky")]
    hidden.evaluating.models.add("leaky-too", lambda _: recall)
    hidden.evaluating.settle()
    assert hidden.leaks()["found"] == 2


WAYS: Mapping[str, Callable[[str], str]] = {
    "as it is": lambda word: word,
    "in capitals": str.upper,
    "within marks": lambda word: f"so:«{word.capitalize()}»…",
    "beside an underscore": lambda word: f"x_{word}_1",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_people_write_is_looked_through(
    way: Callable[[str], str], hidden: Hidden, engine: Engine, story: Story, feed: Feed
) -> None:
    (word, *_) = hidden.words()
    event = tried(story, f"Who said {way(word)} to whom?")
    feed(engine, [event])
    feed(engine, [event])
    (found,) = hidden.leaks()["items"]
    assert (found["place"], found["reference"]) == (Place.EXAMPLE, str(event.aggregate_id))
    assert (found["task_slug"], found["round_number"]) == ("sentiment", 1)


def test_each_text_about_an_example_is_looked_through_and_is_one_place(
    hidden: Hidden, engine: Engine, story: Story, feed: Feed
) -> None:
    (word, *_) = hidden.words()
    start = tried(story, "Nothing.")
    vote = story.voted(start, "negative", 2)
    vote.message.reason = f"It says {word}"  # type: ignore[attr-defined]
    judged = story.judged(vote, 3)
    judged.message.explanation = word  # type: ignore[attr-defined]
    answered = tried(story, "Nothing.")
    answered.message.answers[0].value = word  # type: ignore[attr-defined]
    events = [
        story.explained(start, f"As in {word}."),
        story.explained(start, "Taken back.", 6),
        story.described(start, word),
        vote,
        judged,
    ]
    for event in events:
        feed(engine, [event])
    feed(engine, [start])
    assert [each["reference"] for each in hidden.leaks()["items"]] == [str(start.aggregate_id)]
    # What a later event of the same batch replaces was written all the same.
    feed(engine, [answered, story.explained(start, word, 7), story.explained(start, "No.", 8)])
    assert hidden.leaks()["found"] == 2


def test_a_word_that_is_only_like_one_is_none(
    hidden: Hidden, engine: Engine, story: Story, feed: Feed
) -> None:
    (word, *_) = hidden.words()
    texts = [word[:-2], f"{word}s", f"be{word}", word[2:] + word[:2], f"{word[:10]} {word[10:]}"]
    feed(engine, [tried(story, text) for text in texts])
    assert hidden.leaks()["found"] == 0


def test_cards_are_looked_through(hidden: Hidden, engine: Engine, feed: Feed) -> None:
    (word, *_) = hidden.words()
    feed(engine, [card(["internationalisation"]), card([])])
    assert hidden.leaks()["found"] == 0
    found = uuid4()
    feed(engine, [card([word], 5, found), card(["another"], 6, found), card([word], 7, found)])
    assert hidden.places() == [("card", "minilm-a-v3")]
    assert hidden.leaks()["items"][0]["reference"] == str(found)


def test_no_word_leaves(
    hidden: Hidden, engine: Engine, story: Story, feed: Feed, caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str], store: Any, tmp_path: Any,
) -> None:  # fmt: skip
    words = hidden.words()
    with caplog.at_level(logging.DEBUG):
        hidden.evaluating.models.add("leaky", lambda _: {"error": {"detail": f"it was {words[0]}"}})
        hidden.evaluating.settle()
        feed(engine, [tried(story, words[1]), card(words)])
    said = caplog.text + capsys.readouterr().out
    assert said.count("hidden_dataset_leaked") == 3
    paths = (
        f"/evaluation-datasets/{hidden.dataset_id}",
        "/evaluation-datasets",
        "/evaluations",
        *(f"/evaluations/{row.evaluation_id}/log" for row in hidden.evaluating.rows(evaluation)),
    )
    answers = [hidden.client.get(f"{API}{path}", headers=hidden.owner) for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    said += "".join(answer.text for answer in answers)
    said += "".join(str(bytes(row.payload)) for row in hidden.evaluating.rows(outbox))
    assert not [word for word in words if word in said]
    refused = hidden.client.get(
        f"{API}/evaluation-datasets/{hidden.dataset_id}/samples", headers=hidden.owner
    )
    assert refused.get_json()["type"].endswith("items-not-shown")


def test_a_statement_that_fails_tells_no_word(hidden: Hidden, engine: Engine) -> None:
    (word, *_) = hidden.words()
    with (
        hidden.evaluating.app.unit_of_work() as uow,
        pytest.raises(Exception, match="foreign key") as raised,
    ):
        uow.canaries.keep(uuid4(), ["bababababababababa"])
    assert "bababababababababa" not in str(raised.value)
    assert word not in str(raised.value)


def test_requests_with_made_up_words_stand_among_the_others(
    hidden: Hidden, store: Any, tmp_path: Any
) -> None:
    with hidden.evaluating.app.unit_of_work() as uow:
        dataset = uow.datasets.get(hidden.dataset_id)
    files = RequestStore(store, tmp_path)
    kinds = list(files.kinds(dataset))
    requests = files.requests(dataset, 0, dataset.requests or 0)
    places = [place for place, (_, rule) in enumerate(kinds) if rule.startswith(CANARY)]
    originals = {item: place for place, (item, rule) in enumerate(kinds) if rule == ORIGINAL}
    for place in places:
        item, _ = kinds[place]
        (word,) = set(str(requests[place].input["text"]).split()) & set(hidden.words())
        rest = str(requests[place].input["text"]).replace(f" {word}", "")
        assert rest == requests[originals[item]].input["text"]
    assert sorted({kinds[place][1] for place in places}) == ["canary:1", "canary:2", "canary:3"]


def test_a_try_that_ends_before_it_is_stored_leaves_no_words(
    client: FlaskClient,
    story: Story,
    owner: dict[str, str],
    evaluating: Evaluating,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload(client, [line(number) for number in range(5)], owner, access="hidden")

    def dies(*_: object) -> None:
        raise OSError("the machine is gone")

    with monkeypatch.context() as patch:
        patch.setattr(SqlCanaries, "note", dies)
        assert evaluating.preparer.turn()
    assert evaluating.rows(canary) == []
    evaluating.clock.move(60)
    evaluating.settle()
    assert len(evaluating.rows(canary)) == 3
