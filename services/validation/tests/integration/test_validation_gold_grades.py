"""The answer on a known item that is graded."""

from .conftest import World


def add(world: World, text: str) -> None:
    owner = world.person("annotator", "owner:sentiment")
    context, written = {"prompt": "A day at the sea"}, {"text": text}
    body = {"kind": "attention", "context": context, "input": written, "answer": "positive"}
    assert owner.send("POST", "/tasks/sentiment/gold", **body).status_code == 201


def graded(world: World) -> list[bool | None]:
    rows = world.rows("gold_showing", "answered_at")
    return [row["passed"] for row in rows if row["answered_at"]]


def test_an_item_first_answered_unsure_is_graded_by_the_next_answer(world: World) -> None:
    world.begin()
    for n in range(2):
        add(world, f"Check {n}")
    for _ in range(4):
        world.example()
    person = world.person()
    for label in ("negative", "positive"):
        person.answer(world.round_id, "negative")
        lease = person.hold(world.round_id)
        unsure = person.vote(lease["lease_id"], kind="unsure").get_json()
        assert graded(world)[-1] is None
        changed = person.send("PUT", f"/votes/{unsure['vote_id']}", kind="label", value=label).get_json()
        person.send("PUT", f"/votes/{changed['vote_id']}", kind="label", value="positive")
        world.clock.move(1)
    assert graded(world) == [False, True]
    checks = world.rows("gold_item", "gold_id")
    assert [(check["answered"], check["failed"]) for check in checks] == [(1, 1), (1, 0)]
