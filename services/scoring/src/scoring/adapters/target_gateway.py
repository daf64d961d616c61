"""Targets behind the gateway, which remembers no prediction: each call asks the model."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from dynabench_common.http.client import JsonClient, UpstreamError

from scoring.domain.errors import InstancesRefused, TargetNotServed, TargetSilent
from scoring.domain.repeats import Predictions

CALL_SECONDS = 45.0
EXPLAIN_WAIT = {"Prefer": "wait=30"}
WAIT = {"Prefer": "wait=30", "X-Lane": "evaluation"}
"""A target that is no longer in the loop starts when it is asked."""
NOT_SERVED = (403, 404)
LATER = (408, 429)


class GatewayTargets:
    """Asks served models in the name of the platform."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def predict(self, target: str, instances: Sequence[Mapping[str, str]]) -> Predictions:
        """Return fresh answers. Raises TargetNotServed, InstancesRefused, TargetSilent."""
        answer = self._ask(target, "predict", [dict(each) for each in instances], WAIT)
        try:
            return Predictions([dict(each) for each in answer["predictions"]], str(answer["model_digest"]))
        except (LookupError, TypeError, ValueError) as err:
            raise TargetSilent from err

    def explain(self, target: str, instance: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the weight of each part of the texts. Raises TargetNotServed, InstancesRefused, TargetSilent.

        The gateway keeps explanations and computes few at a time.
        """
        answer = self._ask(target, "explain", [dict(instance)], EXPLAIN_WAIT)
        try:
            digests = {name: str(answer[name]) for name in ("model_digest", "handler_digest")}
            explanation = {**answer["explanations"][0], "target": target, **digests}
        except (LookupError, TypeError) as err:
            raise TargetSilent from err
        if "error" in explanation:
            raise InstancesRefused(target)
        return explanation

    def _ask(
        self, target: str, verb: str, instances: Sequence[Mapping[str, Any]], headers: Mapping[str, str]
    ) -> Any:
        path = f"/api/gateway/v1/models/{quote(target, safe='')}:{verb}"
        try:
            return self._client.call(
                "POST", path, {"instances": instances}, timeout_seconds=CALL_SECONDS, headers=headers
            )
        except UpstreamError as err:
            if err.status in NOT_SERVED:
                raise TargetNotServed(target) from err
            if err.status is not None and 400 <= err.status < 500 and err.status not in LATER:
                raise InstancesRefused(target) from err
            raise TargetSilent(err.retry_after) from err
