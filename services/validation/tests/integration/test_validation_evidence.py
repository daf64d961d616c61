"""The worker's estimates of true labels and voters, their schedule and read permissions."""

import random
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.identifiers import new_id
from dynabench_tasks.values import to_text
from sqlalchemy import text
from validation.adapters.agreement_sums import count_changes
from validation.adapters.evidence import EvidenceKeeper

from .conftest import World

API = "/api/validation/v1"
FIXED: dict[str, Any] = {"policy": {"fixed": {"votes": 5, "agree": 3}}, "validate": "all"}


def record(world: World, answers: dict[UUID, str] | list[str], **fields: str) -> UUID:
    """Let an example come with votes, of voters by their id or of unknown ones."""
    pairs: Sequence[tuple[UUID | None, str]] = (
        list(answers.items()) if isinstance(answers, dict) else [(None, word) for word in answers]
    )
    votes = [
        example_pb2.ImportedVote(voter_id=str(voter or ""), kind="label", option=word)
        for voter, word in pairs
    ]
    unknown = {"author_id": "", "claimed": "", "verdict": "unknown"}
    example_id: UUID = world.example(**{**unknown, **fields}, imported_votes=votes)
    return example_id


def look(world: World) -> bool:
    """Count what changed and let the worker look once; tell whether there was something to do."""
    with world.engine.begin() as connection:
        count_changes(connection, world.clock.now())
    return EvidenceKeeper(world.engine, world.clock).step()


def posteriors(world: World) -> dict[UUID, tuple[str, float]]:
    return {row["example_id"]: (row["label"], row["p"]) for row in world.rows("posterior")}


@pytest.mark.long
def test_what_is_probably_true_stands_beside_the_resolution(world: World) -> None:
    """Three who guess outvote two who are always right: the rule goes by the votes, the posterior does not."""
    world.begin(**FIXED)
    dice = random.Random(3)
    words = ["negative", "neutral", "positive"]
    right, guessing = [new_id(), new_id()], [new_id(), new_id(), new_id()]
    truths = {}
    for number in range(90):
        truth = words[number % 3]
        guesses = {voter: dice.choice(words) for voter in guessing}
        truths[record(world, {**dict.fromkeys(right, truth), **guesses})] = truth
    outvoted = record(world, {**dict.fromkeys(right, "negative"), **dict.fromkeys(guessing, "positive")})
    assert look(world)
    found = posteriors(world)
    assert sum(found[example_id][0] == truth for example_id, truth in truths.items()) >= 88
    assert found[outvoted][0] == "negative"
    state = {row["example_id"]: row for row in world.rows("example_validation")}[outvoted]
    assert (state["agreed_option"], state["golds"]) == ("positive", ["positive"])
    voters = {row["voter_id"]: row for row in world.rows("voter_confusion")}
    assert {row["votes"] for row in voters.values()} == {91}
    assert max(voters[voter]["errors"] for voter in right) < 5
    assert min(voters[voter]["errors"] for voter in guessing) > 45
    assert voters[right[0]]["confusion"]["neutral"]["neutral"] > 0.8


def test_a_round_is_looked_at_at_once_and_then_once_a_minute(world: World) -> None:
    world.begin(**FIXED)
    record(world, ["negative"] * 5)
    assert look(world)
    assert not look(world)
    record(world, ["positive"] * 5)
    assert not look(world)
    world.clock.move(59)
    assert not look(world)
    assert len(posteriors(world)) == 1
    world.clock.move(2)
    assert look(world)
    assert len(posteriors(world)) == 2
    world.clock.move(600)
    assert not look(world)


def test_a_round_that_takes_long_is_looked_at_less_often(world: World) -> None:
    world.begin(**FIXED)
    record(world, ["negative"] * 5)
    assert look(world)
    with world.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE round_evidence SET seconds = 20")
    record(world, ["negative"] * 5)
    world.clock.move(100)
    assert not look(world)
    world.clock.move(100)
    assert look(world)


def test_votes_that_change_while_it_computes_are_not_forgotten(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.begin(**FIXED)
    record(world, ["negative"] * 5)

    class Interrupted(EvidenceKeeper):
        def _write(self, *arguments: Any) -> None:
            super()._write(*arguments)
            world.clock.move(1)
            record(world, ["positive"] * 5)
            with world.engine.begin() as connection:
                count_changes(connection, world.clock.now())

    with world.engine.begin() as connection:
        count_changes(connection, world.clock.now())
    assert Interrupted(world.engine, world.clock).step()
    world.clock.move(61)
    assert look(world)
    assert len(posteriors(world)) == 2


def test_retracted_examples_leave_no_posterior(world: World) -> None:
    world.begin(**FIXED)
    kept, retracted = (record(world, ["negative"] * 5) for _ in range(2))
    assert look(world)
    world.apply(world.events.retracted(retracted))
    world.clock.move(61)
    assert look(world)
    assert set(posteriors(world)) == {kept}
    world.apply(world.events.retracted(kept))
    world.clock.move(61)
    assert look(world)
    assert posteriors(world) == {}
    assert world.rows("round_evidence")[0]["reason"] == "no votes yet"


def test_unknown_voters_are_one_average_person(world: World) -> None:
    world.begin(**FIXED)
    for number in range(20):
        record(
            world, ["negative", "negative", "negative", "negative", "positive" if number % 2 else "neutral"]
        )
    assert look(world)
    rows = world.rows("voter_confusion")
    assert [(row["voter_id"], row["votes"]) for row in rows] == [(UUID(int=0), 100)]


def test_spans_have_no_posterior_and_the_advice_says_so(world: World) -> None:
    field = {"name": "answer", "type": "span", "of": "prompt"}
    world.apply(
        world.events.task(world.task_id, 1, {"input": [field], "output": [field]}, **FIXED),
        world.events.round(world.round_id, world.task_id),
    )
    record(world, [to_text({"start": 0, "end": 3, "text": "sea"})] * 5)
    assert look(world)
    assert posteriors(world) == {}
    advice = world.person("admin").get(f"/rounds/{world.round_id}/votes-advice").get_json()
    assert advice["reason"] == "votes mark spans, which are no options to compare"
    assert (advice["suggestions"], advice["resolution_error_now"]) == ([], None)


def noisy_round(world: World, examples: int, copying: bool = False) -> list[UUID]:
    """Make a round of eight people who are wrong one time in six; the second may say what the first does."""
    dice = random.Random(4)
    people = [new_id() for _ in range(8)]
    words = ["negative", "neutral", "positive"]
    for number in range(examples):
        truth = words[number % 3]
        voters = dice.sample(people, 5)
        said = {voter: truth if dice.random() > 1 / 6 else dice.choice(words) for voter in voters}
        if copying and {people[0], people[1]} <= said.keys():
            said[people[1]] = said[people[0]]
        record(world, said)
    return people


def test_advice_on_the_number_of_votes(world: World) -> None:
    world.begin(**FIXED)
    owner = world.person("owner:sentiment")
    path = f"/rounds/{world.round_id}/votes-advice"
    before = owner.get(path).get_json()
    assert (before["reason"], before["computed_at"]) == ("nothing is computed yet", None)
    noisy_round(world, 40)
    assert look(world)
    assert owner.get(path).get_json()["reason"] == "40 examples have votes, at least 50 are needed"
    noisy_round(world, 110)
    world.clock.move(61)
    assert look(world)
    advice = owner.get(path).get_json()
    assert advice["current"] == {"fixed": {"votes": 5, "agree": 3}}
    assert 0.05 < advice["validator_error"]["low"] < advice["validator_error"]["value"] < 0.2
    assert advice["expected_votes_now"] == pytest.approx(5)
    assert advice["resolution_error_now"] < 0.05
    cheapest = advice["suggestions"][0]
    assert cheapest["expected_votes"] < 5
    assert cheapest["resolution_error"] < 0.05
    assert world.rows("task_configuration")[0]["configuration"]["validation"] == FIXED


def test_an_estimate_that_did_not_settle_advises_nothing(world: World) -> None:
    world.begin(**FIXED)
    noisy_round(world, 60)
    assert look(world)
    with world.engine.begin() as connection:
        connection.execute(
            text(
                "UPDATE round_evidence SET model = jsonb_set(model, '{has_converged}', 'false') "
                "WHERE CAST(model->>'has_converged' AS boolean)"
            )
        )
    path = f"/rounds/{world.round_id}/votes-advice"
    advice = world.person("owner:sentiment").get(path).get_json()
    assert advice["reason"] == "no advice: the estimate of voters' errors has not converged"
    assert advice["validator_error"]["value"] is None
    assert (advice["suggestions"], advice["resolution_error_now"]) == ([], None)


def test_pairs_that_agree_beyond_chance(world: World) -> None:
    world.begin(**FIXED)
    people = noisy_round(world, 160, copying=True)
    path = f"/rounds/{world.round_id}/validators/pairs"
    owner = world.person("owner:sentiment")
    assert owner.get(path).get_json() == {"items": [], "one_author": [], "computed_at": None}
    assert look(world)
    answer = owner.get(path).get_json()
    assert [{item["a"], item["b"]} for item in answer["items"]] == [{str(people[0]), str(people[1])}]
    item = answer["items"][0]
    assert item["agreed"] == item["examples"] > item["expected"]
    assert item["p_adjusted"] < 0.05


def test_validators_who_confirm_one_author_alone(world: World) -> None:
    """Two accounts vote for their friend alone, too fast to count: each vote is shown, and how unlikely it is."""
    world.begin(**{**FIXED, "reading_speed": 1})
    dice = random.Random(5)
    authors, validators = [new_id() for _ in range(8)], [new_id() for _ in range(10)]
    for number in range(80):
        said = dict.fromkeys(dice.sample(validators, 5), "negative")
        record(world, said, author_id=str(authors[number % 8]), claimed="negative")
    friend = new_id()
    for _ in range(5):
        world.example(author_id=str(friend), claimed="negative")
    puppets = [world.person() for _ in range(2)]
    for puppet in puppets:
        for _ in range(5):
            notice = puppet.answer(world.round_id, "negative")["notice"]
            assert notice["kind"] == "too_fast"
    assert look(world)

    answer = world.person("owner:sentiment").get(f"/rounds/{world.round_id}/validators/pairs").get_json()

    assert answer["items"] == []
    assert {item["voter_id"] for item in answer["one_author"]} == {str(one.person_id) for one in puppets}
    for item in answer["one_author"]:
        assert (item["author_id"], item["confirmed"], item["of_author"]) == (str(friend), 5, 5)
        assert item["p_adjusted"] < 0.01


@pytest.mark.parametrize("route", ["validators/pairs", "votes-advice"])
@pytest.mark.parametrize(
    ("roles", "status"),
    [
        ((), 403),
        (("annotator",), 403),
        (("owner:other",), 403),
        (("owner:sentiment",), 200),
        (("admin",), 200),
    ],
)
def test_figures_of_voters_are_for_the_tasks_owners(
    world: World, route: str, roles: tuple[str, ...], status: int
) -> None:
    world.begin(**FIXED)
    headers = world.issuer.headers(new_id(), roles)
    assert world.http.get(f"{API}/rounds/{world.round_id}/{route}", headers=headers).status_code == status
    assert world.http.get(f"{API}/rounds/{world.round_id}/{route}").status_code == 401
