"""Served models, in the KServe V1 protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from dynabench_client.connection import Area, segment
from dynabench_client.results.models import (
    Model,
    ModelName,
    ModelNames,
    ModelStatuses,
    Predictions,
)
from dynabench_client.transport import READ_TIMEOUT_SECONDS

Instances = Sequence[Mapping[str, Any]]


class GatewayClient(Area):
    """Client of the gateway."""

    service = "gateway"

    def models(self) -> tuple[ModelName, ...]:
        """List served models by name."""
        return tuple(ModelName(name=name) for name in self._get("/models", ModelNames).models)

    def model_statuses(self) -> tuple[Model, ...]:
        """Return the served models by name, each with how it does."""
        return self._get("/model-statuses", ModelStatuses).models

    def model(self, name: str) -> Model:
        """Return one model."""
        return self._get(f"/models/{segment(name)}", Model)

    def predict(self, name: str, instances: Instances, *, wait_seconds: int = 0) -> Predictions:
        """Predict, one prediction per instance, in their order.

        The first call to a model that runs on demand starts it. The gateway waits up to `wait_seconds`, at most 30,
        before it answers 503.
        """
        reply = self._connection.send(
            self.service,
            "POST",
            f"/models/{segment(name)}:predict",
            body={"instances": [dict(instance) for instance in instances]},
            headers={"Prefer": f"wait={wait_seconds}"} if wait_seconds else None,
            idempotent=True,
            timeout_seconds=READ_TIMEOUT_SECONDS + wait_seconds,
        )
        return self._result(reply, Predictions)
