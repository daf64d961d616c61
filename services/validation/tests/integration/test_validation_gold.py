"""Items with a known answer, on a real database: voters can't identify them, and their answers count."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from dynabench_common.identifiers import new_id
from dynabench_tasks.votes import VoteKind
from validation.domain.ballots import Ballot
from validation.domain.identifiers import PersonId, RoundId
from validation.service_layer.leases import LeaseNext, Offer, lease_next
from validation.service_layer.votes import CastVote, cast_vote

from .conftest import Someone, World

TASK = "/tasks/sentiment"
ATTENTION = {
    "kind": "attention",
    "context": {"prompt": "A day at the sea"},
    "input": {"text": "Please choose positive here."},
    "answer": "positive",
}
TEXT = "Lovely, if you like sand in your eyes."


def owner(world: World) -> Someone:
    return world.person("annotator", "owner:sentiment")


def resolve(world: World, label: str = "negative", **fields: Any) -> UUID:
    """Let two people agree on a new example, of which there is no other in the queue."""
    example_id: UUID = world.example(**fields)
    for _ in range(2):
        world.person().answer(world.round_id, label)
    return example_id


def add(world: World, **changes: Any) -> dict[str, Any]:
    response = owner(world).send("POST", f"{TASK}/gold", **{**ATTENTION, **changes})
    assert response.status_code == 201, response.text
    item: dict[str, Any] = response.get_json()
    return item


def refresh(world: World) -> dict[str, int]:
    response = owner(world).send("POST", f"/rounds/{world.round_id}/gold/refresh")
    assert response.status_code == 200, response.text
    refreshed: dict[str, int] = response.get_json()
    return refreshed


def gold(world: World, **query: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = owner(world).get(f"{TASK}/gold").get_json()["items"]
    return items


def graded(world: World, person: Someone) -> list[bool | None]:
    rows = world.rows("gold_showing", "answered_at")
    return [row["passed"] for row in rows if row["person_id"] == person.person_id and row["answered_at"]]


def test_gold_is_made_of_what_is_beyond_doubt(world: World) -> None:
    world.begin()
    unanimous = resolve(world)
    disputed = world.example()
    for label in ("negative", "positive", "neutral"):
        world.person().answer(world.round_id, label)
    world.example()
    for label in ("negative", "positive", "negative"):
        world.person().answer(world.round_id, label)
    resolve(world, "positive", verdict="fooled")
    assert refresh(world) == {"added": 2, "retired": 0, "in_use": 2}
    assert refresh(world) == {"added": 0, "retired": 0, "in_use": 2}
    assert {item["example_id"] for item in gold(world)} >= {str(unanimous)}

    decided = owner(world).send(
        "PUT", f"/examples/{disputed}/adjudication", kind="label", value="neutral", reason="Read it twice."
    )
    assert decided.status_code == 200, decided.text
    assert refresh(world)["added"] == 1
    newest = gold(world)[0]
    assert (newest["example_id"], newest["answers"], newest["kind"]) == (
        str(disputed),
        ["neutral"],
        "example",
    )


def test_nothing_tells_gold_from_an_example_before_the_answer(world: World) -> None:
    world.begin()
    source = resolve(world, input={"text": "Dull."}, claimed="negative")
    world.apply(world.events.explained(source, "dull is bad"))
    refresh(world)
    for _ in range(3):
        world.example()
    person = world.person()
    plain = person.hold(world.round_id)
    plain_state = person.get(f"/examples/{plain['example']['example_id']}").get_json()
    plain_vote = person.vote(plain["lease_id"], kind="label", value="negative")

    known = person.hold(world.round_id)
    assert known["example"]["input"] == {"text": "Dull."}
    known_id = known["example"]["example_id"]
    assert person.hold(world.round_id)["lease_id"] == known["lease_id"]
    renewed = person.send("PUT", f"/leases/{known['lease_id']}")
    assert renewed.status_code == 200, renewed.text
    known_state = person.get(f"/examples/{known_id}").get_json()
    assert person.get(f"/examples/{source}").get_json()["pending"]
    known_vote = person.vote(known["lease_id"], kind="label", value="negative")
    plain_reveal = person.reveal(plain_vote.get_json()["vote_id"])
    known_reveal = person.reveal(known_vote.get_json()["vote_id"])

    same = {"example", "lease_id", "expires_at", "can_go_back"}
    assert {k: v for k, v in known.items() if k not in same} == {
        k: v for k, v in plain.items() if k not in same
    }
    assert known.keys() == plain.keys()
    assert known["can_go_back"]
    assert known_state | {"example_id": ""} == plain_state | {"example_id": ""}
    assert known_vote.status_code == plain_vote.status_code
    assert known_vote.get_json().keys() == plain_vote.get_json().keys()
    assert (known_vote.get_json()["counted"], known_vote.get_json()["resolution"]) == (True, None)
    assert known_reveal.keys() == plain_reveal.keys()
    assert known_reveal["reveal"]["claimed"] == "negative"
    assert known_vote.get_json()["notice"] is None
    assert graded(world, person) == [True]
    assert person.hold(world.round_id)["example"]["example_id"] not in (
        known_id,
        plain["example"]["example_id"],
    )


def test_known_items_go_by_ids_of_their_place_in_the_round(world: World) -> None:
    world.begin()
    resolved_before = resolve(world)
    add(world)
    refresh(world)
    written = [world.example() for _ in range(4)]
    person, served = world.person(), []
    for _ in range(6):
        held = person.hold(world.round_id)
        served.append(UUID(held["example"]["example_id"]))
        person.vote(held["lease_id"], kind="label", value="negative")
    assert len(set(served) - set(written)) == 2
    assert resolved_before not in served
    assert served == sorted(served)
    assert all(written[0].int >> 80 <= each.int >> 80 <= written[-1].int >> 80 for each in served)


def test_an_attention_check_is_given_and_looks_like_any_other(world: World) -> None:
    world.begin()
    item = add(world)
    assert (item["answers"], item["shown"], item["retirement"]) == (["positive"], 0, None)
    for _ in range(2):
        world.example()
    person = world.person()
    first = person.hold(world.round_id)
    person.vote(first["lease_id"], kind="label", value="negative")
    check = person.hold(world.round_id)
    assert check["example"]["input"] == ATTENTION["input"]
    state = person.get(f"/examples/{check['example']['example_id']}").get_json()
    assert (state["pending"], state["resolution"]) == (True, None)
    assert person.get(f"/examples/{check['example']['example_id']}/votes").status_code == 403
    for held in (first, check):
        appeal = person.send("POST", f"/examples/{held['example']['example_id']}/appeal", reason="Mine.")
        assert (appeal.status_code, appeal.get_json()["type"]) == (403, "/problems/example-of-another")
    other = world.person()
    told = [other.get(f"/examples/{held['example']['example_id']}") for held in (first, check)]
    assert told[0].get_json() | {"example_id": ""} == told[1].get_json() | {"example_id": ""}
    for held in (first, check):
        path = f"/examples/{held['example']['example_id']}"
        assert other.get(f"{path}/votes").status_code == 403
        assert other.send("POST", f"{path}/appeal", reason="Mine.").status_code == 403
    vote = person.vote(check["lease_id"], kind="label", value="negative").get_json()
    assert person.reveal(vote["vote_id"])["reveal"] == {
        "claimed": "positive",
        "explanation": None,
        "models": [],
    }
    assert graded(world, person) == [False]


def test_gold_leaves_no_trace_in_counts_votes_and_events(world: World) -> None:
    world.begin()
    add(world)
    for _ in range(2):
        world.example()
    person = world.person()
    person.answer(world.round_id, "negative")
    before, events = world.counts(), world.published()
    lease = person.hold(world.round_id)
    assert world.counts() == before | {"leases_out": 1}
    vote = person.vote(lease["lease_id"], kind="label", value="positive").get_json()
    assert person.judge(vote["vote_id"], True).status_code == 200
    assert world.counts() == before
    assert world.published() == events
    assert len(world.rows("vote")) == 1
    own = person.get(f"/rounds/{world.round_id}/me").get_json()
    assert (own["votes"], own["votes_today"], own["gold"]["value"], own["state"]) == (2, 2, 1.0, "active")


def test_an_answer_on_gold_is_told_for_its_persons_own_record_as_it_stands(world: World) -> None:
    world.begin()
    add(world)
    for _ in range(2):
        world.example()
    person = world.person()
    person.answer(world.round_id, "negative")
    lease = person.hold(world.round_id)
    unsure = person.vote(lease["lease_id"], kind="unsure").get_json()
    changed = person.send("PUT", f"/votes/{unsure['vote_id']}", kind="label", value="positive").get_json()
    person.judge(changed["vote_id"], True)
    told = world.published("known_item")
    assert [kind for kind, *_ in told] == ["KnownItemAnswered"] * 3
    versions = [version for _, version, _ in told]
    assert versions == sorted(set(versions))
    messages = [message for *_, message in told]
    assert {message.example_id for message in messages} == {lease["example"]["example_id"]}
    assert [message.vote.option for message in messages] == ["", "positive", "positive"]
    assert [message.HasField("judged") for message in messages] == [False, False, True]
    assert messages[-1].input == ATTENTION["input"]


def test_gold_comes_only_in_the_place_of_work(world: World) -> None:
    world.begin()
    add(world)
    world.example()
    person = world.person()
    person.answer(world.round_id, "negative")
    assert person.lease(world.round_id).get_json()["state"] == "all_answered"


def test_the_first_answers_alternate_with_gold_and_no_item_comes_twice(world: World) -> None:
    world.begin()
    texts = [add(world, input={"text": f"Check {n}"})["input"]["text"] for n in range(3)]
    for _ in range(12):
        world.example()
    person = world.person()
    seen = []
    for _ in range(10):
        lease = person.hold(world.round_id)
        seen.append(lease["example"]["input"]["text"])
        person.vote(lease["lease_id"], kind="label", value="positive")
    assert seen == [TEXT, texts[0], TEXT, texts[1], TEXT, texts[2], TEXT, TEXT, TEXT, TEXT]


def test_nobody_meets_their_own_gold_nor_what_they_voted_on(world: World) -> None:
    world.begin()
    author, voter = world.person(), world.person()
    world.example(author_id=str(author.person_id))
    for person in (voter, world.person()):
        person.answer(world.round_id, "negative")
    refresh(world)
    adder = owner(world)
    assert adder.send("POST", f"{TASK}/gold", **ATTENTION).status_code == 201
    owner(world).send("DELETE", f"/gold/{gold(world)[0]['gold_id']}")
    for _ in range(4):
        world.example()
    for person in (author, voter, adder):
        for _ in range(2):
            lease = person.hold(world.round_id)
            person.vote(lease["lease_id"], kind="label", value="negative")
        assert graded(world, person) in ([], [True])
    assert graded(world, author) == graded(world, voter) == []


def test_a_skipped_item_does_not_come_again_and_another_is_due(world: World) -> None:
    world.begin()
    for n in range(2):
        add(world, input={"text": f"Check {n}"})
    for _ in range(3):
        world.example()
    person = world.person()
    person.answer(world.round_id, "negative")
    first = person.hold(world.round_id)
    assert person.skip(first["lease_id"]).status_code == 204
    assert person.vote(first["lease_id"], kind="unsure").status_code == 404
    texts = [first["example"]["input"]["text"], person.hold(world.round_id)["example"]["input"]["text"]]
    assert texts == ["Check 0", "Check 1"]


def test_an_answer_is_undone_and_changed_like_any_other_and_the_first_is_graded(world: World) -> None:
    world.begin()
    add(world)
    for _ in range(2):
        world.example()
    person = world.person()
    person.answer(world.round_id, "negative")
    lease = person.hold(world.round_id)
    wrong = person.vote(lease["lease_id"], kind="label", value="negative").get_json()
    again = person.vote(lease["lease_id"], kind="label", value="negative")
    assert (again.status_code, again.get_json()["vote_id"]) == (409, wrong["vote_id"])
    undone = person.send("DELETE", f"/votes/{wrong['vote_id']}")
    assert (undone.status_code, undone.get_json()["example"]) == (200, lease["example"])
    assert person.hold(world.round_id)["lease_id"] == undone.get_json()["lease_id"]
    right = person.vote(undone.get_json()["lease_id"], kind="label", value="positive").get_json()
    changed = person.send("PUT", f"/votes/{right['vote_id']}", kind="label", value="neutral")
    assert changed.status_code == 200, changed.text
    mine = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"]
    assert [(vote["value"], vote["can_change"]) for vote in mine] == [("neutral", True), ("negative", True)]
    assert mine[0].keys() == mine[1].keys()
    assert mine[0]["example"] == lease["example"]
    assert graded(world, person) == [False]


def test_unusable_answers_on_gold_are_refused_as_on_examples(world: World) -> None:
    world.begin()
    add(world)
    for _ in range(2):
        world.example()
    person, other = world.person(), world.person()
    person.answer(world.round_id, "negative")
    lease_id = person.hold(world.round_id)["lease_id"]
    assert person.vote(lease_id, kind="label", value="mixed").get_json()["type"] == "/problems/value-refused"
    assert (
        person.vote(lease_id, kind="judgement", value="correct").get_json()["type"]
        == "/problems/vote-kind-wrong"
    )
    assert other.vote(lease_id, kind="unsure").get_json()["type"] == "/problems/lease-of-another"
    assert person.vote(lease_id, kind="unsure").get_json()["counted"] is False
    assert graded(world, person) == [None]


def test_an_item_is_not_shown_once_its_example_is_decided_anew_or_retracted(world: World) -> None:
    world.begin()
    retracted, requeued = resolve(world), resolve(world, "positive")
    refresh(world)
    world.apply(world.events.retracted(retracted))
    body = {"example_ids": [str(requeued)], "reason": "The guidelines changed."}
    assert owner(world).send("POST", f"/rounds/{world.round_id}/requeue", **body).status_code == 200
    for _ in range(2):
        world.example()
    person = world.person()
    for _ in range(2):
        person.answer(world.round_id, "negative")
    assert graded(world, person) == []
    assert refresh(world) == {"added": 0, "retired": 2, "in_use": 0}
    assert {item["retirement"] for item in gold(world)} == {"decided_anew"}


def test_gold_of_a_task_that_votes_by_judgement(world: World) -> None:
    world.begin(vote="judgement", policy={"adaptive": {"agree": 2, "max_votes": 3}})
    source = world.example(claimed="negative")
    for _ in range(2):
        judge = world.person()
        judge.vote(judge.hold(world.round_id)["lease_id"], kind="judgement", value="incorrect")
    assert refresh(world)["added"] == 1
    item = gold(world)[0]
    assert (item["example_id"], item["claimed"], item["answers"]) == (str(source), "negative", ["incorrect"])
    world.example()
    check = add(world, input={"text": "The sea is wet.", "label": "positive"}, answer="correct")
    assert (check["claimed"], check["answers"], check["input"]) == (
        "positive",
        ["correct"],
        {"text": "The sea is wet."},
    )
    owner(world).send("DELETE", f"/gold/{check['gold_id']}")
    world.example()
    person = world.person()
    for _ in range(2):
        lease = person.hold(world.round_id)
        assert lease["example"]["claim_to_judge"] == "negative"
        person.vote(lease["lease_id"], kind="judgement", value="incorrect")
    assert graded(world, person) == [True]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"answer": "mixed"}, "answer"),
        ({"answer": None}, "answer"),
        ({"input": {}}, "input.text"),
        ({"input": {"text": "Fine.", "txt": "?"}}, "input.txt"),
        ({"input": {"text": "Fine.", "label": "positive"}}, "input.label"),
        ({"context": {"prompt": 7}}, "context.prompt"),
        ({"kind": "example"}, "kind"),
    ],
)
def test_unusable_attention_checks(world: World, changes: dict[str, Any], field: str) -> None:
    world.begin()
    refused = owner(world).send("POST", f"{TASK}/gold", **{**ATTENTION, **changes})
    assert (refused.status_code, refused.get_json()["field"]) == (422, field), refused.text
    assert gold(world) == []


def test_gold_is_listed_in_pages_for_owners_alone(world: World) -> None:
    world.begin()
    ids = [add(world)["gold_id"] for _ in range(3)]
    first = owner(world).get(f"{TASK}/gold?limit=2").get_json()
    second = owner(world).get(f"{TASK}/gold?limit=2&cursor={first['next_cursor']}").get_json()
    assert [item["gold_id"] for item in first["items"] + second["items"]] == ids[::-1]
    assert second["next_cursor"] is None
    stranger = world.person("annotator", "owner:another")
    assert stranger.get(f"{TASK}/gold").status_code == 403
    assert stranger.send("DELETE", f"/gold/{ids[0]}").status_code == 403
    assert stranger.send("POST", f"/rounds/{world.round_id}/gold/refresh").status_code == 403
    assert world.person("admin").get("/tasks/nothing/gold").status_code == 404


def test_many_people_at_once_share_the_pool_without_losing_count(world: World) -> None:
    """Every person gets other items at every turn, and the items' own figures are those of their showings."""
    world.begin(policy={"fixed": {"votes": 20, "agree": 11}})
    for n in range(3):
        add(world, input={"text": f"Check {n}"})
    for _ in range(6):
        world.example()
    start = threading.Barrier(12)

    def work(number: int) -> list[str]:
        person_id, texts = PersonId(new_id()), []
        start.wait()
        for _ in range(6):
            offer = lease_next(LeaseNext(RoundId(world.round_id), person_id), world.app)
            assert isinstance(offer, Offer), offer
            texts.append(str(offer.example.input["text"]))
            right = number % 2 and texts[-1] != TEXT
            ballot = Ballot(VoteKind.LABEL, "positive" if right else "negative")
            cast_vote(CastVote(offer.lease.lease_id, person_id, ballot), world.app)
        return texts

    with ThreadPoolExecutor(12) as pool:
        seen = list(pool.map(work, range(12)))
    for texts in seen:
        checks = [text for text in texts if text != TEXT]
        assert len(checks) == len(set(checks))
    showings = Counter(row["gold_id"] for row in world.rows("gold_showing"))
    failures = Counter(row["gold_id"] for row in world.rows("gold_showing") if row["passed"] is False)
    for item in world.rows("gold_item"):
        assert (item["shown"], item["answered"]) == (showings[item["gold_id"]],) * 2
        assert item["failed"] == failures[item["gold_id"]]
    assert sum(showings.values()) > 0
