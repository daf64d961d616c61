"""Served models, in the KServe V1 protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from dynabench_client.connection import Area, given, segment
from dynabench_client.results.gateway import Attributions, Model, Models, Predictions

EXPLAIN_TIMEOUT_SECONDS = 120.0
Instances = Sequence[Mapping[str, Any]]


class GatewayClient(Area):
    """Client of the gateway."""

    service = "gateway"

    def models(self) -> tuple[Model, ...]:
        """List served models."""
        return self._get("/models", Models).models

    def model(self, name: str) -> Model:
        """Return one model."""
        return self._get(f"/models/{segment(name)}", Model)

    def predict(self, name: str, instances: Instances) -> Predictions:
        """Predict, one prediction per instance, in their order."""
        body = {"instances": [dict(instance) for instance in instances]}
        return self._post(f"/models/{segment(name)}:predict", body, Predictions, idempotent=True)

    def explain(
        self,
        name: str,
        instances: Instances,
        parameters: Mapping[str, Any] | None = None,
        *,
        wait_seconds: int = 0,
    ) -> Attributions:
        """Attribute predictions to parts of the input.

        The first call may have to start the workers; the gateway waits for them up to `wait_seconds`, at most
        30, before it answers 503.
        """
        reply = self._connection.send(
            self.service,
            "POST",
            f"/models/{segment(name)}:explain",
            body=given(instances=[dict(instance) for instance in instances], parameters=parameters),
            headers={"Prefer": f"wait={wait_seconds}"} if wait_seconds else None,
            timeout_seconds=EXPLAIN_TIMEOUT_SECONDS,
        )
        return self._result(reply, Attributions)
