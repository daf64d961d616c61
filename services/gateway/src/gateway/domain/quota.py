"""How much one person may ask of the models: tokens, times the steps of an explanation, refilled all the time."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable

from gateway.domain.errors import QuotaUsed

MOST_PEOPLE = 10_000
CHARACTERS_OF_A_TOKEN = 4
DEFAULT_STEPS = 50


def tokens_of(body: object, *, explains: bool) -> int:
    """Return what a request costs: about one token for four characters, at least one for each instance, times steps.

    What is no usable request costs nothing; it is refused later.
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


class TokenQuota:
    """What each person has left; who was longest away is forgotten, which gives them a full minute again."""

    def __init__(self, per_minute: int, monotonic: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._monotonic = monotonic
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, person_id: str, tokens: int) -> None:
        """Take tokens from what a person has left. Raises QuotaUsed.

        Whoever has a whole minute left may ask anything once, however much it costs.
        """
        with self._lock:
            now = self._monotonic()
            left, since = self._left.pop(person_id, (float(self._per_minute), now))
            left = min(float(self._per_minute), left + (now - since) * self._per_minute / 60)
            wanted = min(tokens, self._per_minute)
            refused = wanted > left
            self._left[person_id] = (left if refused else left - tokens, now)
            while len(self._left) > MOST_PEOPLE:
                self._left.popitem(last=False)
        if refused:
            seconds = math.ceil((wanted - left) * 60 / self._per_minute)
            raise QuotaUsed(tokens, self._per_minute, max(1, seconds))
