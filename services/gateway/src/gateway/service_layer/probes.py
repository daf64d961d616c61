"""Probes: answers that people get by asking a model directly, counted before they are shown.

If a round has the model as a target, this is a probe like any other. So an answer that cannot be counted is withheld.
"""

from dynabench_common.client import UpstreamError

from gateway.adapters.annotation import HttpProbeCounter
from gateway.domain.routes import Route
from gateway.service_layer.outages import uncounted


class Probes:
    """Counts the answers that a person is about to get."""

    def __init__(self, counter: HttpProbeCounter) -> None:
        self._counter = counter

    def count(self, route: Route, person_id: str, texts: int, *, also_in_the_loop: bool) -> None:
        """Count answers on as many texts. Raises ModelInTheLoop, and Unavailable while nobody counts."""
        if texts == 0:
            return
        try:
            self._counter.count(route.name, person_id, texts, also_in_the_loop=also_in_the_loop)
        except UpstreamError as err:
            raise uncounted(route.name) from err
