"""A model that rounds have as a target can't be taken away, whoever asks; once it is out of the loop it can."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from dynabench.model.v1.model_pb2 import ModelCardChanged
from dynabench_common.identifiers import new_id
from dynabench_tasks.rounds import RoundState
from registry.adapters.tables import outbox, round_, task
from registry.service_layer.checks.runner import Checker
from sqlalchemy import Engine, select, text

from .checked import GOOD, events, look
from .submissions import Submitter

CARD = {"text": "Small.", "licence": "MIT", "contact": "a@example.org", "languages": ["en"]}


@pytest.fixture
def published(submitter: Submitter, checker: Checker) -> Mapping[str, Any]:
    sent = submitter.submit(GOOD)
    assert checker.turn()
    path = f"/submissions/{sent['submission_id']}"
    assert submitter.put(f"{path}/card", CARD).status_code == 200
    done = submitter.post(f"{path}/publication", {"anonymous": False})
    assert done.status_code == 200, done.get_json()
    found: Mapping[str, Any] = done.get_json()
    return found


@pytest.fixture
def put_round(engine: Engine) -> Callable[..., str]:
    def put(state: str, targets: list[str], number: int = 2) -> str:
        with engine.begin() as connection:
            task_id = connection.execute(select(task.c.task_id)).scalar_one()
            row = {"round_id": new_id(), "task_id": task_id, "number": number}
            connection.execute(round_.insert().values(**row, targets=targets, state=state))
        return str(row["round_id"])

    return put


def wanted(engine: Engine) -> bool:
    with engine.connect() as connection:
        return bool(connection.execute(text("SELECT wanted FROM served_model")).scalar_one())


@pytest.mark.parametrize("state", ["draft", "open", "paused"])
def test_its_submitter_is_told_the_rounds_and_whom_to_ask(
    published: Mapping[str, Any],
    submitter: Submitter,
    put_round: Callable[..., str],
    engine: Engine,
    state: str,
) -> None:
    round_id = put_round(state, ["other", "tiny-v1"])
    put_round("closed", ["tiny-v1"], 1)
    refused = submitter.post(f"/submissions/{published['submission_id']}/withdrawal", {"reason": ""})
    said = refused.get_json()
    assert (refused.status_code, said["type"]) == (409, "/problems/model-in-the-loop")
    assert said["detail"] == "People try to fool tiny-v1 in round 2 of sentiment."
    assert said["remedy"].startswith("Ask an owner of the task to remove it from these rounds")
    assert said["rounds"] == [round_id]
    found = look(submitter, published)
    assert (found["state"], found["may_withdraw"]) == ("published", False)
    assert found["in_the_loop"] == [
        {"round_id": round_id, "state": state, "task": "sentiment", "number": 2},
    ]
    assert wanted(engine)
    assert "ModelWithdrawn" not in events(engine)


def test_an_owner_takes_it_out_of_the_targets_first(
    published: Mapping[str, Any], owner: Submitter, put_round: Callable[..., str], engine: Engine
) -> None:
    round_id = put_round("open", ["tiny-v1"])
    path = f"/submissions/{published['submission_id']}/retirement"
    refused = owner.post(path, {"reason": "It repeats its training data."})
    assert (refused.status_code, refused.get_json()["rounds"]) == (409, [round_id])
    assert refused.get_json()["remedy"].startswith("Remove it from these rounds")
    assert not look(owner, published)["may_retire"]
    with engine.begin() as connection:
        connection.execute(round_.update().values(targets=["other"]))
    assert look(owner, published)["may_retire"]
    retired = owner.post(path, {"reason": "It repeats its training data."})
    assert (retired.status_code, retired.get_json()["state"]) == (200, "retired")
    assert not wanted(engine)


def test_a_round_that_is_over_holds_nobody(
    published: Mapping[str, Any], submitter: Submitter, put_round: Callable[..., str]
) -> None:
    for number, state in enumerate((RoundState.CLOSED, RoundState.RELEASED), 1):
        put_round(state.value, ["tiny-v1"], number)
    path = f"/submissions/{published['submission_id']}/withdrawal"
    withdrawn = submitter.post(path, {"reason": "A better one is there."})
    assert withdrawn.get_json()["state"] == "withdrawn"
    assert submitter.post(path, {"reason": ""}).status_code == 200


def test_what_a_card_says_of_training_data_is_told_when_it_changes(
    published: Mapping[str, Any], submitter: Submitter, engine: Engine
) -> None:
    path = f"/submissions/{published['submission_id']}/card"
    assert events(engine).count("ModelCardChanged") == 0
    for trained_on in (["sentiment-round-1, version 1: train"], ["sentiment-round-1, version 1: train"], []):
        assert submitter.put(path, {**CARD, "trained_on": trained_on}).status_code == 200
    assert events(engine).count("ModelCardChanged") == 2
    assert submitter.put(path, {**CARD, "text": "Smaller."}).status_code == 200
    assert events(engine).count("ModelCardChanged") == 2


def test_what_is_looked_for_on_cards_is_told_and_their_text_is_not(
    published: Mapping[str, Any], submitter: Submitter, engine: Engine
) -> None:
    path = f"/submissions/{published['submission_id']}/card"
    long = "Internationalisation of BIGALOMERUSAVOTINEPA, bigalomerusavotinepa."
    for said in (long, f"In short: {long}", "Smaller."):
        assert submitter.put(path, {**CARD, "text": said}).status_code == 200
    with engine.connect() as connection:
        rows = connection.execute(select(outbox).order_by(outbox.c.id)).all()
    told = [
        ModelCardChanged.FromString(bytes(row.payload))
        for row in rows
        if row.type.endswith("ModelCardChanged")
    ]
    assert [list(each.long_words) for each in told] == [["bigalomerusavotinepa", "internationalisation"], []]
    assert "In short" not in str(told)
