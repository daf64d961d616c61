"""A round's examples for those who look after it: what is found, in which order, and what stays blind."""

import json
from datetime import UTC, datetime, timedelta
from itertools import islice, product
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.identifiers import new_id
from dynabench_tasks.verdict import Verdict
from sqlalchemy import text
from validation.adapters.example_search import are_many
from validation.adapters.open_votes import may_still_vote
from validation.domain.example_filters import Became, ExampleFilter
from validation.domain.identifiers import PersonId, RoundId
from validation.domain.owner_work import Disagreement
from validation.queries import examples

from conftest import analyse

from .conftest import Someone, World

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
MANY = 100_000


@pytest.fixture
def owner(world: World) -> Someone:
    return world.person("owner:sentiment")


@pytest.fixture
def validating_owner(world: World) -> Someone:
    return world.person("owner:sentiment", "annotator")


def written(world: World, minute: int, said: str, words: str = "", **fields: Any) -> UUID:
    """Make an example with a text and these votes, so many minutes after noon."""
    votes = [
        example_pb2.ImportedVote(
            voter_id=str(new_id()),
            kind="flag" if word == "flag" else "label",
            option="" if word == "flag" else word,
        )
        for word in words.split()
    ]
    created_at = NOON + timedelta(minutes=minute)
    example_id: UUID = world.example(
        imported_votes=votes, created_at=created_at, input={"text": said}, **fields
    )
    return example_id


def listed(world: World, reader: Someone, query: str = "") -> list[dict[str, Any]]:
    answer = reader.get(f"/rounds/{world.round_id}/examples{query}")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.get_json()["items"]
    return items


def found(world: World, reader: Someone, query: str) -> set[UUID]:
    return {UUID(item["example_id"]) for item in listed(world, reader, query)}


def test_examples_come_with_what_became_of_them_the_newest_first(world: World, owner: Someone) -> None:
    world.begin()
    author_id = str(new_id())
    disputed = written(
        world, 1, "Sand.", "negative positive neutral", author_id=author_id, context_tags=["sea"]
    )
    waiting = written(world, 2, "Salt.", "positive")
    taken_back = written(world, 3, "Silt.", "negative negative")
    world.apply(world.events.retracted(taken_back))
    unasked = written(world, 4, "Soil.", verdict="not_fooled")
    items = listed(world, owner)
    assert [UUID(item["example_id"]) for item in items] == [unasked, taken_back, waiting, disputed]
    assert [item["became"] for item in items] == ["unasked", "retracted", "waiting", "disputed"]
    assert items[3] == {
        "example_id": str(disputed),
        "author_id": author_id,
        "created_at": "2026-01-05T12:01:00Z",
        "context": {"prompt": "A day at the sea"},
        "input": {"text": "Sand."},
        "verdict": "fooled",
        "tags": ["sea"],
        "is_hidden": False,
        "became": "disputed",
        "claimed": "negative",
        "votes": [
            {"option": "negative", "count": 1},
            {"option": "positive", "count": 1},
            {"option": "neutral", "count": 1},
        ],
    }
    assert (items[1]["input"], items[1]["context"], items[1]["claimed"], items[1]["votes"]) == (
        {},
        {},
        None,
        [],
    )


def test_filters_leave_what_fits_all_of_them(world: World, owner: Someone) -> None:
    world.begin()
    author_id = str(new_id())
    right = written(world, 1, "Running on it's own, fast-paced.", "negative negative", author_id=author_id)
    wrong = written(world, 2, "She runs.", "positive positive", context_tags=["sport"])
    split = written(
        world, 3, "They ran a ÜBERMUT.", "negative positive negative", context_tags=["sport", "day"]
    )
    flagged = written(world, 4, "x", "flag flag", context_tags=["day"])
    calm = written(world, 5, "Nobody runs.", verdict="not_fooled")
    gone = written(world, 6, "He runs.", "negative")
    world.apply(world.events.retracted(gone))
    for query, expected in {
        "text=run": {right, wrong, calm},
        "text=RUNS": {wrong, calm},
        "text=übermut": {split},
        "text=she+runs": {wrong},
        "text=it's": {right},
        "text=fast-paced": {right},
        "text=sea": {right, wrong, split, flagged, calm},
        "text=text": set(),
        "text=%27%20%26%20%21%5C": set(),
        "text=%20": {right, wrong, split, flagged, calm, gone},
        "verdict=not_fooled": {calm},
        "became=correct": {right, split},
        "became=incorrect": {wrong},
        "became=flagged": {flagged},
        "became=disputed": set(),
        "became=unasked": {calm},
        "became=retracted": {gone},
        "tag=sport": {wrong, split},
        "tag=sport&became=correct": {split},
        f"author_id={author_id}": {right},
        "disagreement=voters": {split},
        "disagreement=author": {wrong},
        "disagreement=author&tag=day": set(),
    }.items():
        assert found(world, owner, f"?{query}") == expected, query


def test_pages_follow_each_other_without_gaps(world: World, owner: Someone) -> None:
    world.begin()
    made = [written(world, 1 + number // 3, f"Text {number}.", "positive positive") for number in range(7)]
    for query in ("", "&disagreement=author"):
        seen: list[str] = []
        cursor = ""
        for _ in range(4):
            answer = owner.get(f"/rounds/{world.round_id}/examples?limit=2{query}{cursor}").get_json()
            seen += [item["example_id"] for item in answer["items"]]
            cursor = f"&cursor={answer['next_cursor']}"
        assert answer["next_cursor"] is None
        assert sorted(seen) == sorted(map(str, made))
    assert seen[-3:] == [str(each) for each in sorted(made[:3], reverse=True)]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("verdict=perhaps", "verdict"),
        ("became=good", "became"),
        ("author_id=ada", "author_id"),
        ("disagreement=all", "disagreement"),
        ("text=" + "a" * 201, "text"),
        ("text=a%00", "text"),
        ("limit=0", "limit"),
        ("cursor=bm8", "cursor"),
    ],
)
def test_what_can_not_be_asked_is_named(world: World, owner: Someone, query: str, field: str) -> None:
    world.begin()
    refused = owner.get(f"/rounds/{world.round_id}/examples?{query}")
    assert (refused.status_code, refused.get_json()["field"]) == (422, field)


def test_only_those_who_look_after_the_task_may_look(world: World) -> None:
    world.begin()
    example_id = written(world, 1, "Sand.", "positive")
    assert world.person("owner:nli").get(f"/rounds/{world.round_id}/examples").status_code == 403
    assert world.person("owner:nli").send("PUT", f"/examples/{example_id}/abstention").status_code == 403
    assert listed(world, world.person("admin"))[0]["votes"] == [{"option": "positive", "count": 1}]


def test_an_owner_who_may_still_vote_sees_neither_claim_nor_votes(
    world: World, owner: Someone, validating_owner: Someone
) -> None:
    world.begin()
    waiting = written(world, 1, "Sand.", "positive")
    own = written(world, 2, "Salt.", "positive", author_id=str(validating_owner.person_id))
    done = written(world, 3, "Silt.", "positive positive")
    hidden = {item["example_id"]: item for item in listed(world, validating_owner)}
    assert {key for key, item in hidden.items() if item["is_hidden"]} == {str(waiting)}
    item = hidden[str(waiting)]
    assert (item["claimed"], item["votes"], item["became"]) == (None, [], "waiting")
    assert hidden[str(own)]["votes"]
    assert hidden[str(done)]["became"] == "incorrect"
    assert found(world, validating_owner, "?disagreement=author") == {own, done}
    assert found(world, owner, "?disagreement=author") == {waiting, own, done}
    refused = validating_owner.get(f"/examples/{waiting}/votes")
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/vote-open")
    assert validating_owner.get(f"/examples/{done}/votes").status_code == 200
    assert owner.get(f"/examples/{waiting}/votes").status_code == 200


def test_what_an_owner_holds_has_no_verdict_until_the_vote_stands(
    world: World, owner: Someone, validating_owner: Someone
) -> None:
    """Neither in the list nor by any filter of it, whether held, answered unsure, or answered and not yet final."""
    world.begin(policy={"fixed": {"votes": 3, "agree": 2}})
    example_id = written(world, 1, "Sand.", "positive")

    def told() -> tuple[object, bool]:
        matched = [found(world, validating_owner, f"?verdict={each}") for each in ("fooled", "not_fooled")]
        return listed(world, validating_owner)[0]["verdict"], {example_id} in matched

    assert told() == ("fooled", True)
    held = validating_owner.hold(world.round_id)
    assert told() == (None, False)
    vote = validating_owner.vote(held["lease_id"], kind="unsure").get_json()
    assert told() == (None, False)
    changed = validating_owner.send("PUT", f"/votes/{vote['vote_id']}", kind="label", value="negative")
    assert told() == (None, False)
    assert found(world, owner, "?verdict=fooled") == {example_id}
    validating_owner.reveal(changed.get_json()["vote_id"])
    assert told() == ("fooled", True)


def test_ones_own_answer_hides_what_it_may_still_change(world: World, validating_owner: Someone) -> None:
    world.begin()
    example_id = written(world, 1, "Sand.", "negative")
    vote = validating_owner.answer(world.round_id, "negative")
    assert world.resolution() == "correct"
    for query, expected in {
        "": {example_id},
        "?became=correct": set(),
        "?became=waiting": {example_id},
    }.items():
        assert found(world, validating_owner, query) == expected
    [item] = listed(world, validating_owner)
    assert (item["is_hidden"], item["became"], item["votes"]) == (True, "waiting", [])
    world.clock.move(61)
    [item] = listed(world, validating_owner)
    assert (item["is_hidden"], item["became"]) == (False, "correct")
    assert validating_owner.send("PUT", f"/votes/{vote['vote_id']}", kind="unsure").status_code == 409


def test_who_wants_to_see_gives_up_to_vote(world: World, validating_owner: Someone) -> None:
    world.begin()
    example_id = written(world, 1, "Sand.", "positive")
    lease_id = validating_owner.hold(world.round_id)["lease_id"]
    world.clock.move(301)
    for _ in range(2):
        assert validating_owner.send("PUT", f"/examples/{example_id}/abstention").status_code == 204
    [item] = listed(world, validating_owner)
    assert (item["is_hidden"], item["claimed"]) == (False, "negative")
    assert validating_owner.get(f"/examples/{example_id}/votes").status_code == 200
    assert validating_owner.vote(lease_id, kind="label", value="negative").status_code == 404
    assert validating_owner.lease(world.round_id).get_json()["state"] == "all_answered"
    world.clock.move(86_400)
    assert validating_owner.lease(world.round_id).status_code == 200


def test_to_see_makes_ones_own_answer_final(world: World, validating_owner: Someone) -> None:
    world.begin(policy={"fixed": {"votes": 3, "agree": 2}})
    example_id = written(world, 1, "Sand.", "positive")
    vote = validating_owner.answer(world.round_id, "negative")
    assert [item["is_hidden"] for item in listed(world, validating_owner)] == [True]
    assert validating_owner.send("PUT", f"/examples/{example_id}/abstention").status_code == 204
    assert len(listed(world, validating_owner)[0]["votes"]) == 2
    refused = validating_owner.send("PUT", f"/votes/{vote['vote_id']}", kind="unsure")
    assert refused.get_json()["type"] == "/problems/vote-revealed"


def test_nothing_is_hidden_once_the_round_is_released(world: World, validating_owner: Someone) -> None:
    world.begin()
    written(world, 1, "Sand.", "positive")
    world.apply(world.events.round_state(world.round_id, "released", 3))
    assert [item["is_hidden"] for item in listed(world, validating_owner)] == [False]


FILL = """
WITH made AS (
    SELECT gen_random_uuid() AS example_id, number,
        timestamptz '2026-01-05' + number * interval '1 second' AS at
    FROM generate_series(1, :many) AS number
), examples AS (
    INSERT INTO example (example_id, created_version, task_id, task_slug, configuration_version, round_id,
        author_id, context, input, claimed, fooled, undecided, tags, created_at)
    SELECT example_id, 1, :task_id, 'sentiment', 1, :round_id, :author_id,
        '{"prompt": "A day at the sea"}', jsonb_build_object('text', 'Sentence ' || number), 'negative',
        number % 3 = 0, false, CASE WHEN number % 1000 = 0 THEN '["rare"]' ELSE '["usual"]' END::jsonb, at
    FROM made
)
INSERT INTO example_validation (example_id, round_id, author_id, created_at, wanted, priority, retracted, version,
    votes_counted, possible_slots, certain_slots, resolution)
SELECT example_id, :round_id, CASE WHEN number % 1000 = 0 THEN :rare_id ELSE :author_id END, at, true, 1, false, 1,
    0, 3, 2, CASE WHEN number % 1000 = 0 THEN 'disputed' WHEN number % 2 = 0 THEN 'correct' END
FROM made
"""


@pytest.mark.long
def test_one_page_of_a_large_round_is_found_by_an_index(world: World, validating_owner: Someone) -> None:
    world.begin()
    rare_id = new_id()
    ids = {"many": MANY, "task_id": world.task_id, "round_id": world.round_id}
    with world.engine.begin() as connection:
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text(FILL), {**ids, "author_id": new_id(), "rare_id": rare_id})
    analyse(world.engine, "example", "example_validation")
    plans = [
        ("ix_example_validation_newest", ExampleFilter()),
        ("ix_example_validation_newest", ExampleFilter(text="sea")),
        ("ix_example_written_words", ExampleFilter(text="77777")),
        ("ix_example_validation_author", ExampleFilter(author_id=rare_id)),
        ("ix_example_validation_resolution", ExampleFilter(became=Became.DISPUTED)),
        ("ix_example_tags", ExampleFilter(tag="rare")),
        ("ix_example_verdict", ExampleFilter(verdict=Verdict.UNDECIDED)),
        ("ix_example_validation_voters_disagree", ExampleFilter(disagreement=Disagreement.VOTERS)),
        ("ix_example_validation_author_disagrees", ExampleFilter(disagreement=Disagreement.AUTHOR)),
    ]
    voter_id, round_id = PersonId(validating_owner.person_id), RoundId(world.round_id)
    hidden = may_still_vote(voter_id, NOON)
    for index, wanted in plans:
        with world.engine.connect() as connection:
            is_common = wanted.text is not None and are_many(connection, round_id, wanted.text)
        statement = examples.listed(round_id, wanted, hidden, None, is_common=is_common).limit(51)
        compiled = statement.compile(world.engine, compile_kwargs={"render_postcompile": True})
        given = {
            name: json.dumps(value) if isinstance(value, list) else value
            for name, value in compiled.params.items()
        }
        with world.engine.connect() as connection:
            plan = "\n".join(connection.exec_driver_sql(f"EXPLAIN {compiled}", given).scalars())
        assert index in plan, plan
        assert "Seq Scan on example " not in plan, plan
    assert len(listed(world, validating_owner, "?text=sentence+77777")) == 1
    assert len(listed(world, validating_owner, "?verdict=not_fooled&limit=200")) == 200
    assert found(world, validating_owner, f"?disagreement={Disagreement.VOTERS}") == set()


@pytest.mark.parametrize(
    ("words", "searches"),
    [
        ("<Script>x wrote it", ("<Script>x", "Script", "x", "script wrote")),
        ("<b class=big>loud</b>", ("big", "loud", "<b", "</b>")),
        ("either and/or neither", ("or", "and/or", "neither")),
        ("salt &amp; vinegar", ("salt & vinegar", "vinegar", "amp")),
        ("write to ann@mail.example", ("ann", "mail", "ann@mail.example")),
        ("see https://example.org/some/page?x=1", ("some", "page", "https://example.org/some")),
        ('5 < 6 > 4 "quoted" back\\slash', ("quoted", "slash", "5 < 6")),
    ],
)
def test_words_in_markup_are_found(
    world: World, owner: Someone, words: str, searches: tuple[str, ...]
) -> None:
    world.begin()
    example_id = written(world, 1, words)
    for search in searches:
        assert found(world, owner, f"?text={quote(search)}") == {example_id}, search


def test_what_is_too_long_to_be_searched_is_taken_in_all_the_same(world: World, owner: Someone) -> None:
    world.begin()
    letters = "абвгдежзийклмнопрст"
    words = " ".join("".join(word) for word in islice(product(letters, repeat=4), 100_000))
    long = written(world, 1, words)
    short = written(world, 2, "абвг")
    assert [item["example_id"] for item in listed(world, owner)] == [str(short), str(long)]
    assert found(world, owner, "?text=абвг") == {short}
