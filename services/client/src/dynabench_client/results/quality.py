"""Results about how well validators vote."""

from datetime import datetime
from typing import Any

from dynabench_tasks.values import Value

from dynabench_client.results.base import Result
from dynabench_client.results.rates import Rate
from dynabench_client.results.validation import Appeal


class Validator(Result):
    """A person who votes in a task: how often they say what most say (`agreement`) and what is known (`gold`).

    `failures` are among their last 20 gold answers; `state` is active, warned or paused.
    """

    voter_id: str
    votes: int
    agreement: Rate
    gold: Rate
    failures: int
    seconds_median: float | None
    state: str
    appeal: Appeal | None


class ValidatorStanding(Result):
    """Where a person stands in a task: paused by its `owner` or the `checks`, why and since when.

    `failures` are among their last 20 gold answers; `state` is active, warned or paused.
    """

    task_slug: str
    state: str
    paused_by: str | None
    paused_at: datetime | None
    reason: str | None
    failures: int
    appeal: Appeal | None


class ValidatorStandings(Result):
    """Where a person stands, by task."""

    items: tuple[ValidatorStanding, ...]


class GoldItem(Result):
    """An item with a known answer: an attention check, or an example that everybody agreed on.

    Of several `answers` any passes; `claimed` is revealed as the author's claim. It was `shown` so often, `answered`
    so often, and `failed` so often; `retirement` says why it is shown no more.
    """

    gold_id: str
    kind: str
    context: dict[str, Any]
    input: dict[str, Any]
    claimed: Value | None
    answers: tuple[Value, ...]
    example_id: str | None
    shown: int
    answered: int
    failed: int
    added_at: datetime
    retirement: str | None
    retired_at: datetime | None


class GoldRefreshed(Result):
    """What a fresh pick of gold items brought; of those made of examples so many are `in_use` in the task now."""

    added: int
    retired: int
    in_use: int


class PauseAppeal(Result):
    """Where a person stands who asked the owner to lift their pause."""

    state: str
    appeal: Appeal | None
