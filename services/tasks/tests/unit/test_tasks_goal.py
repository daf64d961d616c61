"""A round's goal in validated errors, read from a published configuration."""

import pytest
from dynabench_tasks.configuration.goal import wanted_errors


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        (None, None),
        ({}, None),
        ({"goal": {"message": "Fool it."}}, None),
        ({"goal": {"validated_errors": 500}}, 500),
        ({"goal": {"validated_errors": 0}}, None),
        ({"goal": {"validated_errors": True}}, None),
        ({"goal": "many"}, None),
    ],
)
def test_a_goal_is_a_number_of_validated_errors(
    configuration: dict[str, object] | None, expected: int | None
) -> None:
    assert wanted_errors(configuration) == expected
