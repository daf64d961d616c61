"""Owners decide, reverse, requeue and change rounds: boards follow at once, and the audit log records it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from dynabench_client import Dynabench, ProblemError
from dynabench_common.testing import wait_until

from tests.scenarios import PRAISE, TARGET, OwnTask, board, vote, write

pytestmark = pytest.mark.slow


def board_shows(owner: Dynabench, round_id: str, **figures: object) -> None:
    """Wait until the board has these figures."""

    def found() -> bool:
        shown = board(owner, round_id)
        return all(getattr(shown, name) == value for name, value in figures.items())

    wait_until(found, what=f"a board with {figures}")


def audited(owner: Dynabench, count: int, **where: Any) -> list[tuple[str, str | None, str]]:
    """Return the audit log's entries of an object or round once there are so many, oldest first."""

    def entries() -> list[tuple[str, str | None, str]]:
        items = owner.accounts.audit(**where).items
        return [(each.action, each.actor_name, each.reason) for each in reversed(items)]

    wait_until(lambda: len(entries()) >= count, what=f"{count} entries in the audit log")
    return entries()


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(ProblemError) as caught:
        call()
    assert caught.value.remedy
    return caught.value.slug


@pytest.fixture(scope="module")
def task(new_task: Callable[[], OwnTask]) -> OwnTask:
    return new_task()


def test_a_dispute_is_decided_reversed_appealed_and_requeued(
    task: OwnTask,
    new_annotator: Callable[[], Dynabench],
    service_command: Callable[..., str],
    check_boards: Callable[[], None],
) -> None:
    owner, round_id = task.owner.client, task.open_round()
    author, outsider = new_annotator(), new_annotator()
    example_id = write(author, round_id, PRAISE.format("soup"), "negative").example_id
    for option in ("negative", "positive", "neutral"):
        vote(new_annotator(), round_id, {example_id: option})
    board_shows(owner, round_id, fooled=1, resolved=1, validated_errors=0, pending=0)
    (item,) = owner.validation.work(round_id, kind="disputed", disagreement="voters").items
    assert {(each.option, each.count) for each in item.votes} == {
        ("negative", 1),
        ("positive", 1),
        ("neutral", 1),
    }
    assert owner.validation.work_counts(round_id).disputed == 1
    assert refusal(lambda: outsider.validation.work(round_id)) == "not-allowed"

    decided = owner.validation.adjudicate(example_id, "label", "It is irony.", value="negative")
    assert decided.resolution == "correct"
    board_shows(owner, round_id, resolved=1, validated_errors=1)
    answer = author.validation.votes(example_id)
    assert answer.adjudication is not None
    assert (answer.adjudication.reason, {each.voter_id for each in answer.items}) == ("It is irony.", {None})
    assert owner.validation.reverse_adjudication(example_id).resolution == "disputed"
    board_shows(owner, round_id, resolved=1, validated_errors=0)

    assert refusal(lambda: outsider.validation.appeal(example_id, "Me too.")) == "example-of-another"
    author.validation.appeal(example_id, "Read it aloud.")
    assert refusal(lambda: author.validation.appeal(example_id, "Again.")) == "already-appealed"
    assert owner.validation.work(round_id, kind="appealed").items[0].example_id == example_id
    assert owner.validation.requeue(round_id, [example_id], "Others shall say.").requeued == 1
    board_shows(owner, round_id, resolved=0, pending=1)

    resolve_with_a_vote_undone(owner, round_id, example_id, [new_annotator() for _ in range(3)])
    answered = author.validation.votes(example_id).appeal
    assert answered is not None
    assert answered.answer == "Others shall say."
    assert audited(owner, 4, task=task.slug, object_id=example_id) == [
        ("example.adjudicated", task.owner.user_name, "It is irony."),
        ("example.adjudication_reversed", task.owner.user_name, ""),
        ("example.appealed", None, "Read it aloud."),
        ("example.requeued", task.owner.user_name, "Others shall say."),
    ]

    counts, agreement = owner.validation.counts(round_id), owner.validation.agreement(round_id)
    service_command("validation", "rebuild")
    assert owner.validation.counts(round_id) == counts
    assert owner.validation.agreement(round_id) == agreement
    check_boards()


def resolve_with_a_vote_undone(
    owner: Dynabench, round_id: str, example_id: str, people: Sequence[Dynabench]
) -> None:
    """Let two people resolve an example; the second one withdraws the vote and a third one votes instead."""
    voter, hasty, third = people
    vote(voter, round_id, {example_id: "negative"})
    (cast,) = vote(hasty, round_id, {example_id: "negative"})
    assert cast.resolution is None
    board_shows(owner, round_id, resolved=1, validated_errors=1, pending=0)
    again = hasty.validation.undo(cast.vote_id)
    assert (again.state, again.example) == ("another_is_asked", None)
    board_shows(owner, round_id, resolved=0, validated_errors=0, pending=1)
    (last,) = vote(third, round_id, {example_id: "negative"})
    assert third.validation.reveal(last.vote_id).resolution == "correct"
    board_shows(owner, round_id, resolved=1, validated_errors=1, pending=0)


def test_targets_change_and_a_round_reopens(task: OwnTask, new_annotator: Callable[[], Dynabench]) -> None:
    owner, round_id = task.owner.client, task.open_round()
    area, author = owner.annotation, new_annotator()
    write(author, round_id, PRAISE.format("salad"), "negative")
    area.set_targets(round_id, ["sentiment-cnn"], "The first one is worn out.")
    write(author, round_id, PRAISE.format("pie"), "negative")
    wait_until(lambda: len(board(owner, round_id).segments) == 2, what="a second segment")
    segments = owner.leaderboard.round(round_id).segments
    assert [[target.target for target in segment.targets] for segment in segments] == [
        [TARGET],
        ["sentiment-cnn"],
    ]
    assert [segment.tries for segment in segments] == [1, 1]

    preview = area.preview_state(round_id, "closed")
    assert preview.allowed
    assert any(each.count == 1 for each in preview.consequences)
    area.set_round_state(round_id, "closed", "Enough.")
    assert refusal(lambda: write(author, round_id, PRAISE.format("jam"), "negative")) == "round-closed"
    assert area.set_round_state(round_id, "open", "Not enough after all.").state == "open"
    write(author, round_id, PRAISE.format("jam"), "negative")
    board_shows(owner, round_id, tries=3)
    assert audited(owner, 4, task=task.slug, round_id=round_id) == [
        ("round.opened", task.owner.user_name, ""),
        ("round.targets_changed", task.owner.user_name, "The first one is worn out."),
        ("round.closed", task.owner.user_name, "Enough."),
        ("round.reopened", task.owner.user_name, "Not enough after all."),
    ]
