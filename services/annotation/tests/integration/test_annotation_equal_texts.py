"""One text fools once, however it is written: what is equal but for what a reader does not see counts no further."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from dynabench.example.v1.example_pb2 import DuplicateOverruled, ExampleCreated, VerdictDecided
from google.protobuf.message import Message
from sqlalchemy import select, text

from .conftest import MakePlatform, Platform

SENTENCE = "What a lovely queue, I could stand in it all day."
DISGUISES = (
    SENTENCE.upper(),
    SENTENCE.replace(" ", "  "),
    SENTENCE.replace("l", "l\u200b"),
    SENTENCE.replace("o", "\u043e").replace("a", "\u0430"),
    f"\u202e{SENTENCE}\u202c",
    SENTENCE.replace("queue", "q\u00adueue"),
    SENTENCE.replace(",", " \u2014").replace(".", "!!"),
    SENTENCE.replace("queue", "qu\u00e9ue") + " ~",
)
WHY = "It was retold on purpose."


@pytest.fixture
def round_id(platform: Platform) -> str:
    return platform.open_round(contexts=1)


def events(platform: Platform, example_id: str, kind: type[Message]) -> list[Any]:
    statement = select(tables.outbox.c.payload).where(
        tables.outbox.c.aggregate_id == example_id, tables.outbox.c.type == kind.DESCRIPTOR.full_name
    )
    with platform.dependencies.engine.connect() as connection:
        return [kind.FromString(bytes(payload)) for payload in connection.execute(statement).scalars()]


def overrule(
    platform: Platform,
    example_id: object,
    person: UUID | None = None,
    roles: Sequence[str] | None = None,
    reason: str = WHY,
) -> Any:
    path = f"/examples/{example_id}/duplicate-overruling"
    roles = [f"owner:{platform.slug}"] if roles is None else roles
    return platform.call("POST", path, {"reason": reason}, person=person or uuid4(), roles=roles)


def test_one_text_in_many_disguises_fools_once(platform: Platform, round_id: str) -> None:
    author = uuid4()
    first = platform.example(round_id, author, text=SENTENCE)
    repeats = [platform.example(round_id, author, text=each) for each in DISGUISES]

    assert first["duplicate_of"] is None
    for repeat, written in zip(repeats, DISGUISES, strict=True):
        assert repeat["verdict"] == "fooled"
        assert repeat["duplicate_of"] == first["example_id"]
        assert repeat["input"]["text"] == written
        [event] = events(platform, repeat["example_id"], ExampleCreated)
        assert event.duplicate_of == first["example_id"]
    assert [instance["text"] for instance in platform.gateway.targets["alpha"].instances][-1] == DISGUISES[-1]
    counts = platform.counts(round_id)
    assert (counts["tries"], counts["fooled"], counts["not_fooled"]) == (9, 1, 8)
    with platform.dependencies.engine.connect() as connection:
        statement = text("SELECT foolings FROM context WHERE round_id = :round_id")
        assert connection.execute(statement, {"round_id": round_id}).scalars().all() == [1]


def test_another_person_repeats_it_too(platform: Platform, round_id: str) -> None:
    first = platform.example(round_id, uuid4(), text=SENTENCE)
    assert platform.example(round_id, uuid4(), text=DISGUISES[0])["duplicate_of"] == first["example_id"]


def test_another_claim_and_another_text_are_no_repeats(platform: Platform, round_id: str) -> None:
    author = uuid4()
    platform.example(round_id, author, text=SENTENCE)
    other_claim = platform.example(round_id, author, text=SENTENCE, label="neutral")
    other_text = platform.example(round_id, author, text=SENTENCE + " Or two.")
    assert [each["duplicate_of"] for each in (other_claim, other_text)] == [None, None]


def everywhere(platform: Platform) -> list[dict[str, Any]]:
    """Write the sentence on two contexts of a round, and on the first of them in the next round, by three people."""
    one, two = (platform.open_round(contexts=2) for _ in range(2))
    places = ((one, "Prompt 0.", SENTENCE), (one, "Prompt 1.", DISGUISES[-1]), (two, "Prompt 0.", SENTENCE))
    return [_on(platform, round_id, prompt, written) for round_id, prompt, written in places]


def _on(platform: Platform, round_id: str, prompt: str, written: str) -> dict[str, Any]:
    author = uuid4()
    given = platform.assign(round_id, author)["context"]
    if given["fields"]["prompt"] != prompt:
        given = platform.assign(round_id, author, given["context_id"])["context"]
    made: dict[str, Any] = platform.example(round_id, author, context_id=given["context_id"], text=written)
    return made


def test_a_text_fools_once_in_the_whole_task(platform: Platform) -> None:
    first, *others = everywhere(platform)
    assert [each["duplicate_of"] for each in others] == [first["example_id"]] * 2


def test_where_a_text_depends_on_its_context_another_context_makes_another_text(
    make_platform: MakePlatform,
) -> None:
    platform = make_platform(instance={"text": "text", "beside": "prompt"})
    for target in platform.gateway.targets.values():
        target.fields = ("beside", "text")
    first, on_another, on_the_same = everywhere(platform)
    assert [on_another["duplicate_of"], on_the_same["duplicate_of"]] == [None, first["example_id"]]


def test_what_did_not_fool_is_nothing_to_repeat(platform: Platform, round_id: str) -> None:
    author = uuid4()
    platform.example(round_id, author, text=SENTENCE, label="positive")
    again = platform.example(round_id, author, text=SENTENCE, label="positive")
    assert (again["verdict"], again["duplicate_of"]) == ("not_fooled", None)


def test_what_was_withdrawn_may_be_said_again(platform: Platform, round_id: str) -> None:
    author = uuid4()
    first = platform.example(round_id, author, text=SENTENCE)
    platform.call("POST", f"/examples/{first['example_id']}/retraction", person=author)
    assert platform.example(round_id, author, text=SENTENCE)["duplicate_of"] is None


def test_a_pair_of_example_and_smallest_edit_is_no_repeat(make_platform: MakePlatform) -> None:
    platform = make_platform(perturbations=True)
    round_id, author = platform.open_round(contexts=1), uuid4()
    first = platform.example(round_id, author, text=SENTENCE)
    edit = platform.example(
        round_id, author, text=SENTENCE.upper(), label="neutral", perturbation_of=first["example_id"]
    )
    assert (edit["perturbation_of"], edit["duplicate_of"]) == (first["example_id"], None)


def test_of_equal_texts_at_once_one_fools(platform: Platform, round_id: str) -> None:
    people = [uuid4() for _ in range(6)]
    for person in people:
        platform.assign(round_id, person)
    made = platform.at_once(
        *(lambda person=person: platform.example(round_id, person, text=SENTENCE) for person in people)
    )
    assert [each["duplicate_of"] for each in made].count(None) == 1


def test_an_example_without_a_digest_is_found(platform: Platform, round_id: str) -> None:
    author = uuid4()
    first = platform.example(round_id, author, text=SENTENCE)
    with platform.dependencies.engine.begin() as connection:
        connection.execute(tables.example.update().values(text_digest=None))
    assert platform.example(round_id, author, text=DISGUISES[2])["duplicate_of"] == first["example_id"]


def test_the_authors_word_makes_a_repeat_where_the_task_asks_for_it(make_platform: MakePlatform) -> None:
    platform = make_platform(wrong_when={"ask_annotator": {}})
    round_id, author = platform.open_round(contexts=1), uuid4()
    made = [platform.example(round_id, author, text=each) for each in (SENTENCE, DISGUISES[0])]
    decided = []
    for each in made:
        path = f"/examples/{each['example_id']}/decision"
        decided.append(platform.call("PUT", path, {"wrong_targets": ["alpha"]}, person=author).get_json())
    assert [each["duplicate_of"] for each in decided] == [None, made[0]["example_id"]]
    [event] = events(platform, made[1]["example_id"], VerdictDecided)
    assert event.duplicate_of == made[0]["example_id"]


def test_an_owner_lets_a_repeat_count(platform: Platform, round_id: str) -> None:
    author, owner = uuid4(), uuid4()
    first = platform.example(round_id, author, text=SENTENCE)
    repeat = platform.example(round_id, author, text=DISGUISES[0])["example_id"]

    done = overrule(platform, repeat, owner)

    assert done.status_code == 200, done.get_json()
    assert done.get_json()["duplicate_of"] == first["example_id"]
    assert done.get_json()["duplicate_overruled_at"]
    assert platform.counts(round_id)["fooled"] == 2
    [event] = events(platform, repeat, DuplicateOverruled)
    assert (event.overruled_by, event.reason) == (str(owner), WHY)
    with platform.dependencies.engine.connect() as connection:
        statement = select(tables.outbox.c.type).where(tables.outbox.c.topic == "dynabench.audit.v1")
        assert len(connection.execute(statement).all()) >= 1
    again = overrule(platform, repeat, owner)
    assert (again.status_code, again.get_json()["type"]) == (409, "/problems/no-duplicate")


@pytest.mark.parametrize("roles", [["annotator"], ["owner:another"]])
def test_only_owners_of_the_task_let_it_count(
    platform: Platform, round_id: str, roles: Sequence[str]
) -> None:
    author = uuid4()
    platform.example(round_id, author, text=SENTENCE)
    repeat = platform.example(round_id, author, text=DISGUISES[0])["example_id"]
    assert overrule(platform, repeat, roles=roles).status_code == 403
    own = overrule(platform, repeat, author)
    assert (own.status_code, own.get_json()["type"]) == (403, "/problems/own-example")
    assert overrule(platform, repeat, reason="").status_code == 422
    assert overrule(platform, uuid4()).status_code == 404
    assert platform.counts(round_id)["fooled"] == 1
