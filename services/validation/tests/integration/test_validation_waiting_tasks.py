"""A task that names what this version does not know waits visibly, holds nobody else up, and is taken up later."""

from typing import Any

from sqlalchemy import text
from validation.adapters.projection import look_again

from .conftest import World

LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
OF_A_LATER_VERSION = {"input": [{"name": "when", "type": "moon-phase"}, LABEL], "output": [LABEL]}


def test_a_task_of_a_later_version_waits_visibly(world: World) -> None:
    world.begin(changes=OF_A_LATER_VERSION)
    world.example()
    refused = world.person().lease(world.round_id)
    assert (refused.status_code, refused.get_json()["type"].rsplit("/", 1)[-1]) == (
        503,
        "task-paused-for-update",
    )
    assert "moon-phase" in refused.get_json()["detail"]
    assert refused.headers["Retry-After"]
    assert world.rows("example_validation") == []


def test_a_key_of_a_later_version_is_passed_over_and_said_in_the_log(world: World, capsys: Any) -> None:
    world.begin(changes={"rehearsals": "weekly"})
    said = capsys.readouterr().out
    assert "configuration_key_passed_over" in said
    assert "rehearsals" in said
    world.example()
    assert world.person().hold(world.round_id)["options"] == LABEL["labels"]


def test_what_waited_is_queued_once_this_version_knows_it(world: World) -> None:
    """An older version has noted a configuration as one that it could not follow, and stored its examples."""
    world.begin()
    with world.engine.begin() as connection:
        connection.execute(text("UPDATE task_configuration SET waits_for = 'field type moon-phase'"))
    world.example(), world.example()
    assert world.rows("example_validation") == []
    with world.engine.begin() as connection:
        assert look_again(connection) == 1
        assert look_again(connection) == 0
    assert len(world.rows("example_validation")) == 2
    assert world.person().hold(world.round_id)["example"]
