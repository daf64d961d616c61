"""A person's quota of model calls: tokens, times the steps of an explanation, refilled continuously."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from gateway.domain.errors import QuotaUsed

MOST_PEOPLE = 10_000
CHARACTERS_OF_A_TOKEN = 4
DEFAULT_STEPS = 50


def tokens_of(body: object, *, explains: bool) -> int:
    """Return the cost of a request in tokens.

    It is about one token for four characters, at least one for each instance, times steps. An unusable request costs
    nothing; it is refused later.
    """
    instances = body.get("instances") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(instances, list):
        return 0
    texts = [
        value
        for instance in instances
        if isinstance(instance, dict)
        for value in instance.values()
        if isinstance(value, str)
    ]
    tokens = len(instances) + sum(len(text) for text in texts) // CHARACTERS_OF_A_TOKEN
    return tokens * _steps(body.get("parameters")) if explains else tokens


def _steps(parameters: object) -> int:
    given = parameters.get("n_steps") if isinstance(parameters, dict) else None
    return given if type(given) is int and given > 0 else DEFAULT_STEPS


@dataclass(frozen=True)
class Balance:
    """Tokens that a person had left at a moment of the monotonic clock, which all processes of a machine share."""

    left: float
    since: float


class Balances(Protocol):
    """Storage of people's balances."""

    def change(self, person_id: str, change: Callable[[Balance | None], Balance]) -> None:
        """Replace a person's balance by the result of `change`; None stands for an unknown person."""


class OwnBalances:
    """Balances of one process; the longest unused one is dropped, which resets it to a full minute."""

    def __init__(self) -> None:
        self._balances: OrderedDict[str, Balance] = OrderedDict()
        self._lock = threading.Lock()

    def change(self, person_id: str, change: Callable[[Balance | None], Balance]) -> None:
        """Replace a person's balance by the result of `change`."""
        with self._lock:
            self._balances[person_id] = change(self._balances.pop(person_id, None))
            while len(self._balances) > MOST_PEOPLE:
                self._balances.popitem(last=False)


class TokenQuota:
    """The remaining quota of each person, refilled continuously."""

    def __init__(
        self, per_minute: int, monotonic: Callable[[], float], balances: Balances | None = None
    ) -> None:
        self._per_minute = per_minute
        self._monotonic = monotonic
        self._balances = balances or OwnBalances()

    def take(self, person_id: str, tokens: int) -> None:
        """Take tokens from a person's balance. Raises QuotaUsed.

        A person with a full balance may make one request of any cost.
        """
        missing = 0.0

        def taken(balance: Balance | None) -> Balance:
            nonlocal missing
            now, full = self._monotonic(), float(self._per_minute)
            left = full if balance is None else balance.left + (now - balance.since) * full / 60
            left, wanted = min(full, left), min(tokens, self._per_minute)
            missing = max(0.0, wanted - left)
            return Balance(left if missing else left - tokens, now)

        self._balances.change(person_id, taken)
        if missing:
            seconds = math.ceil(missing * 60 / self._per_minute)
            raise QuotaUsed(tokens, self._per_minute, max(1, seconds))
