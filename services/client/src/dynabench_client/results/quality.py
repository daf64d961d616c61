"""Results about how well validators vote."""

from datetime import datetime
from typing import Any

from dynabench_tasks.values import Value
from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.rates import Rate
from dynabench_client.results.validation import Appeal


class Validator(Result):
    """A person who votes in a task: how often they say what most say (`agreement`) and what is known (`gold`).

    `failures` are among their last 20 gold answers; `state` is active, warned or paused.
    """

    voter_id: str
    votes: int = 0
    agreement: Rate = Rate()
    gold: Rate = Rate()
    failures: int = 0
    seconds_median: float | None = None
    state: str = "active"
    appeal: Appeal | None = None


class GoldItem(Result):
    """An item with a known answer: an attention check, or an example that everybody agreed on.

    Of several `answers` any passes; `claimed` is revealed as the author's claim. It was `shown` so often, `answered`
    so often, and `failed` so often; `retirement` says why it is shown no more.
    """

    gold_id: str
    kind: str = ""
    context: dict[str, Any] = Field(default_factory=dict)
    input: dict[str, Any] = Field(default_factory=dict)
    claimed: Value | None = None
    answers: tuple[Value, ...] = ()
    example_id: str | None = None
    shown: int = 0
    answered: int = 0
    failed: int = 0
    added_at: datetime | None = None
    retirement: str | None = None
    retired_at: datetime | None = None


class GoldRefreshed(Result):
    """What a fresh pick of gold items brought; of those made of examples so many are `in_use` in the task now."""

    added: int = 0
    retired: int = 0
    in_use: int = 0


class PauseAppeal(Result):
    """Where a person stands who asked the owner to lift their pause."""

    state: str = "active"
    appeal: Appeal | None = None
