"""Public examples: which there are, what stands in them, and in which order they come."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_common.work.retried_jobs import JobRunner
from flask.testing import FlaskClient
from scoring.adapters.fact_reader import public_at_once
from scoring.queries import datasets
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine

from services.scoring.tests.conftest import Story
from services.scoring.tests.scoring_releases import API, Feed, Headers, NewStory, ask, released, state

ADDRESS = f"{API}/public-examples"
Later = Callable[[Story, Event], Iterable[Event]]


def listed(client: FlaskClient, **query: Any) -> list[dict[str, Any]]:
    answer = client.get(ADDRESS, query_string=query)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.get_json()["items"]
    return items


def is_public(client: FlaskClient, example_id: object) -> bool:
    """Tell what the list and the page of an example agree on."""
    alone = client.get(f"{ADDRESS}/{example_id}")
    found = str(example_id) in [item["example_id"] for item in listed(client)]
    assert alone.status_code == (200 if found else 404)
    return found


def again(story: Story, tried: Event, outcome: str) -> Event:
    return story.resolved(tried, outcome, "negative", 9, str(uuid4()))


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        pytest.param(lambda _s, _t: [], True, id="confirmed"),
        pytest.param(lambda s, t: [again(s, t, "incorrect")], False, id="decided otherwise"),
        pytest.param(lambda s, t: [again(s, t, "disputed")], False, id="disputed"),
        pytest.param(lambda s, t: [s.unresolved(t, 9)], False, id="waits for votes again"),
        pytest.param(lambda s, t: [s.retracted(t)], False, id="withdrawn by its author"),
        pytest.param(lambda s, t: [s.appealed(t)], False, id="its author appeals"),
        pytest.param(lambda s, t: [s.appealed(t), again(s, t, "correct")], True, id="the appeal is decided"),
        pytest.param(lambda s, t: [s.decided(t, [])], False, id="its author calls the answers right"),
        pytest.param(lambda s, t: [s.configured(2, public_examples="never")], False, id="never public"),
        pytest.param(
            lambda s, t: [s.configured(2, public_examples="after_release")],
            False,
            id="public after the release",
        ),
        pytest.param(
            lambda s, t: [s.configured(2, title="Renamed")], False, id="the newest version is silent"
        ),
    ],
)
@pytest.mark.parametrize("order", ["as it happened", "the other way round", "one by one"])
def test_which_examples_are_public_at_once(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    later: Later,
    expected: bool,
    order: str,
) -> None:
    story = new_story()
    events = [*story.opened(public_examples="at_once"), *story.confirmed(story.new_id(), "negative")]
    tried = events[4]
    events += later(story, tried)
    if order == "the other way round":
        events.reverse()
    feed(engine, events, 1 if order == "one by one" else 200)
    assert is_public(client, tried.aggregate_id) is expected


@pytest.mark.parametrize(
    ("option", "answered", "expected"),
    [
        pytest.param("negative", ["positive", "negative"], True, id="one target errs by the gold"),
        pytest.param("positive", ["positive", "negative"], True, id="the gold is another than the claim"),
        pytest.param("negative", ["negative", ""], False, id="the target that answered is right by the gold"),
    ],
)
def test_majority_gold_decides_which_answers_are_wrong(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    option: str,
    answered: list[str],
    expected: bool,
) -> None:
    story = new_story()
    rules = {"vote": "label", "gold": "majority", "validate": "all"}
    opened = story.opened(public_examples="at_once", validation=rules)
    tried = story.tried("neutral", answered, story.new_id())
    votes = [story.voted(tried, option, version) for version in (1, 2)]
    feed(engine, [*opened, tried, *votes, story.resolved(tried, "incorrect", option)])
    assert is_public(client, tried.aggregate_id) is expected
    if expected:
        (item,) = listed(client)
        assert [each["wrong"] for each in item["answers"]] == [value != option for value in answered]
        assert (item["claimed"], item["golds"]) == ("neutral", [option])


def test_examples_are_public_after_the_release_unless_the_task_says_otherwise(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    story: Story,
    owner: Headers,
    engine: Engine,
    feed: Feed,
) -> None:
    assert listed(client) == []
    dataset_id = released(client, builder, story, owner)
    items = listed(client, limit=50)
    assert len(items) == 50
    assert {item["dataset_id"] for item in items} == {dataset_id}
    assert all(item["author"].startswith("p") for item in items)
    late = story.confirmed(story.new_id())
    feed(engine, late)
    assert not is_public(client, late[0].aggregate_id), "it is in no file"
    feed(engine, [story.configured(2, public_examples="never")])
    assert listed(client) == []
    feed(engine, [story.configured(3, public_examples="at_once")])
    (newest,) = listed(client, limit=1)
    assert newest["example_id"] == str(late[0].aggregate_id)
    assert (newest["dataset_id"], newest["author"]) == (None, None)
    assert str(late[0].aggregate_id) not in [
        item["example_id"] for item in listed(client, dataset_id=dataset_id, limit=50)
    ]


def test_a_round_that_was_collected_elsewhere_is_public_only_after_its_release(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    owner: Headers,
) -> None:
    story = new_story()
    events = [story.configured(public_examples="at_once"), story.drafted(origin="imported"), story.begun()]
    events += [event for _ in range(4) for event in story.confirmed(story.new_id())]
    feed(engine, [*events, story.moved("closed", 4)])
    assert listed(client) == []
    released(client, builder, story, owner, dev=0, test=0.5, licence="CC-BY-NC-4.0")
    assert len(listed(client)) == 4


def test_an_example_says_what_was_written_and_answered_and_nobodys_id(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    author_id, voters = story.new_id(), [story.new_id() for _ in range(3)]
    tried = story.tried("negative", ["positive", "negative"], author_id)
    assert isinstance(tried.message, example_pb2.ExampleCreated)
    first = tried.message.answers[0]
    first.confidence, first.model_digest = 0.75, "sha256:" + "1" * 64
    first.probabilities.update({"positive": 0.75, "negative": 0.25})
    votes = [
        story.voted(tried, option, version, voter)
        for version, (option, voter) in enumerate(
            zip(["negative", "neutral", "negative"], voters, strict=True), start=1
        )
    ]
    opened = story.opened(public_examples="at_once", content_warning="It may hurt.")
    feed(engine, [*opened, tried, *votes, story.resolved(tried, "correct", "negative", 4)])
    answer = client.get(f"{ADDRESS}/{tried.aggregate_id}")
    item = answer.get_json()
    assert listed(client) == [item]
    assert not {str(each) for each in (author_id, *voters)} & set(json.dumps(item).split('"'))
    assert (item["task_slug"], item["task_title"], item["round_number"]) == ("sentiment", "Sentiment", 1)
    assert item["round_title"] == "First"
    assert (item["context"], item["input"]) == ({"prompt": "A day at the sea."}, dict(tried.message.input))
    assert (item["claimed"], item["golds"], item["tags"]) == ("negative", ["negative"], ["sea"])
    assert item["votes"] == [{"option": "negative", "count": 2}, {"option": "neutral", "count": 1}]
    assert item["answers"][0] == {
        "target": "roberta",
        "value": "positive",
        "wrong": True,
        "confidence": 0.75,
        "probabilities": {"positive": 0.75, "negative": 0.25},
        "model_digest": "sha256:" + "1" * 64,
    }
    assert (item["answers"][1]["target"], item["answers"][1]["wrong"]) == ("deberta", False)
    assert (item["content_notice"], item["author"], item["dataset_id"]) == ("It may hurt.", None, None)


def test_a_context_that_the_author_did_not_see_is_left_out(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    arms = [{"name": "blind", "context": "hidden"}, {"name": "default"}]
    tried = story.tried("negative", ["positive", ""], story.new_id(), condition="blind")
    resolved = story.resolved(tried, "correct", "negative")
    feed(engine, [*story.opened(public_examples="at_once", conditions=arms), tried, resolved])
    (item,) = listed(client)
    assert (item["context"], item["tags"]) == (None, [])


def test_an_example_without_an_own_text_is_not_public(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""], story.new_id())
    assert isinstance(tried.message, example_pb2.ExampleCreated)
    tried.message.input["text"] = " "
    opened = story.opened(public_examples="at_once")
    feed(engine, [*opened, tried, story.resolved(tried, "correct", "negative")])
    assert not is_public(client, tried.aggregate_id)


def of_several_merits(story: Story) -> Mapping[str, list[Event]]:
    """Examples by their merit, the newest last; the letters are in the order of merit."""
    made: dict[str, list[Event]] = {}
    for name, answered, options in (
        ("c", ["positive", ""], ["negative", "neutral"]),
        ("a", ["positive", "neutral"], ["negative", "neutral"]),
        ("b", ["positive", ""], ["negative", "negative"]),
    ):
        tried = story.tried("negative", answered, story.new_id())
        votes = [story.voted(tried, option, number) for number, option in enumerate(options, start=1)]
        made[name] = [tried, *votes, story.resolved(tried, "correct", "negative", 5)]
    return made


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, "bac"),
        ({"order": "best"}, "abc"),
        ({"target": "deberta"}, "a"),
        ({"target": "roberta", "order": "best"}, "abc"),
        ({"target": "electra"}, ""),
        ({"task": "sentiment"}, "bac"),
        ({"task": "nli"}, ""),
        ({"round_id": str(UUID(int=4))}, ""),
        ({"dataset_id": str(UUID(int=4))}, ""),
    ],
)
@pytest.mark.parametrize("limit", [1, 2, 50])
def test_a_list_has_its_order_and_its_filters_on_every_page(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    query: dict[str, str],
    expected: str,
    limit: int,
) -> None:
    story = new_story()
    made = of_several_merits(story)
    opened = story.opened(public_examples="at_once")
    feed(engine, [*opened, *(event for events in made.values() for event in events)])
    names = {str(events[0].aggregate_id): name for name, events in made.items()}
    found = ""
    cursor: str | None = ""
    while cursor is not None:
        asked = {**query, "limit": limit, **({"cursor": cursor} if cursor else {})}
        page = client.get(ADDRESS, query_string=asked).get_json()
        found += "".join(names[item["example_id"]] for item in page["items"])
        cursor = page["next_cursor"]
    assert found == expected


def test_a_cursor_of_another_order_and_a_page_too_long_are_refused(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    events = [event for several in of_several_merits(story).values() for event in several]
    feed(engine, [*story.opened(public_examples="at_once"), *events])
    cursor = client.get(ADDRESS, query_string={"limit": 1}).get_json()["next_cursor"]
    for query in ({"order": "best", "cursor": cursor}, {"cursor": "WzFd"}, {"limit": 51}, {"order": "worst"}):
        assert client.get(ADDRESS, query_string=query).status_code == 422, query


def test_nothing_tells_an_unknown_example_from_one_that_is_not_public(
    client: FlaskClient, story: Story, engine: Engine, feed: Feed
) -> None:
    waiting = story.tried("negative", ["positive", ""], story.new_id())
    feed(engine, [waiting])
    told = [client.get(f"{ADDRESS}/{each}").get_json() for each in (waiting.aggregate_id, uuid4())]
    same = [
        {name: text for name, text in each.items() if name not in ("request_id", "instance")} for each in told
    ]
    assert same[0] == same[1]
    assert told[0]["status"] == 404


@pytest.mark.parametrize(
    ("versions", "is_refused"),
    [
        pytest.param(["at_once"], True, id="its texts are public"),
        pytest.param(["after_release", "at_once"], True, id="its older texts became public"),
        pytest.param(["at_once", "never"], True, id="its texts were public"),
        pytest.param(["after_release"], False, id="its texts were never public"),
    ],
)
def test_a_round_with_public_texts_is_released_without_dev_and_test(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    owner: Headers,
    versions: list[str],
    is_refused: bool,
) -> None:
    story = new_story()
    later = [
        story.configured(version, public_examples=choice)
        for version, choice in enumerate(versions[1:], start=2)
    ]
    feed(engine, [*story.finished(public_examples=versions[0]), *later])
    for size, field in ({"test": 0, "dev": 0.1}, "dev"), ({"test": 0.1, "dev": 0}, "test"):
        address = f"{API}/rounds/{story.round_id}/release/preview"
        preview = client.get(address, query_string=size, headers=owner).get_json()
        kinds = [blocker["kind"] for blocker in preview["blockers"]]
        assert kinds == (["public-at-once"] if is_refused else [])
        if is_refused:
            refused = client.post(f"{API}/rounds/{story.round_id}/releases", json=size, headers=owner)
            assert (refused.status_code, refused.get_json()["field"]) == (409, field)
            assert "set both sizes to 0" in refused.get_json()["remedy"]
    asked = ask(client, story, owner, dev=0, test=0)
    assert builder.turn()
    done = state(client, asked, owner)
    assert done["state"] == "done"
    scored = f"{API}/evaluation-datasets"
    assert client.get(f"{scored}/{done['dataset_id']}").get_json()["public_at_once"] == is_refused
    assert [each["public_at_once"] for each in client.get(scored).get_json()["items"]] == [is_refused]


def test_a_round_whose_examples_came_after_the_change_keeps_its_splits(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, owner: Headers
) -> None:
    story = new_story()
    events = story.finished(public_examples="at_once")
    for event in events:
        if isinstance(event.message, example_pb2.ExampleCreated):
            event.message.configuration_version = 2
    feed(engine, [*events, story.configured(2, public_examples="never")])
    preview = client.get(f"{API}/rounds/{story.round_id}/release/preview", headers=owner).get_json()
    assert preview["blockers"] == []


def test_only_the_choices_of_its_own_task_make_a_round_public_at_once(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    stories = {
        choice: new_story(seed) for seed, choice in enumerate(("at_once", "after_release", "never"), 1)
    }
    for choice, story in stories.items():
        feed(engine, [*story.opened(public_examples=choice), *story.confirmed(story.new_id())])
    rounds = [story.round_id for story in stories.values()]
    with engine.connect() as connection:
        assert public_at_once(connection, rounds) == {stories["at_once"].round_id}
        assert public_at_once(connection, rounds[1:]) == set()


@pytest.mark.parametrize(
    ("later", "is_silent"),
    [
        pytest.param(lambda _: [], False, id="probes are counted"),
        pytest.param(lambda s: [s.configured(2, probes="none")], True, id="the newest version has none"),
        pytest.param(
            lambda s: [s.configured(2, probes="none"), s.moved("closed", 4)], False, id="no round is open"
        ),
    ],
)
def test_a_target_explains_nothing_while_a_task_without_probes_has_it_in_a_round(
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    later: Callable[[Story], Iterable[Event]],
    is_silent: bool,
) -> None:
    story = new_story()
    feed(engine, [*story.opened(probes="counted"), *later(story)], 200)
    silent = datasets.unexplained_targets(engine)
    assert silent >= set(story.targets) if is_silent else not silent & set(story.targets)
