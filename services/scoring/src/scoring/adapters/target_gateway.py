"""Targets behind the gateway, which remembers no prediction: each call asks the model."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from dynabench_common.http.client import JsonClient, UpstreamError

from scoring.domain.errors import InstancesRefused, TargetNotServed, TargetSilent
from scoring.domain.repeats import Predictions

CALL_SECONDS = 45.0
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
        path = f"/api/gateway/v1/models/{quote(target, safe='')}:predict"
        body = {"instances": [dict(each) for each in instances]}
        try:
            answer = self._client.call("POST", path, body, timeout_seconds=CALL_SECONDS, headers=WAIT)
            return Predictions([dict(each) for each in answer["predictions"]], str(answer["model_digest"]))
        except UpstreamError as err:
            if err.status in NOT_SERVED:
                raise TargetNotServed(target) from err
            if err.status is not None and 400 <= err.status < 500 and err.status not in LATER:
                raise InstancesRefused(target) from err
            raise TargetSilent(err.retry_after) from err
        except (LookupError, TypeError, ValueError) as err:
            raise TargetSilent from err
