"""Served models, in the KServe V1 protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from dynabench_client.connection import Area, given, segment
from dynabench_client.results.gateway import (
    Attributions,
    Model,
    ModelName,
    ModelNames,
    ModelStatuses,
    Predictions,
)
from dynabench_client.transport import READ_TIMEOUT_SECONDS, Reply

EXPLAIN_TIMEOUT_SECONDS = 120.0
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

        The first call to a model that runs on demand has to start it; see `explain` about waiting.
        """
        timeout_seconds = READ_TIMEOUT_SECONDS + wait_seconds
        body = {"instances": _plain(instances)}
        reply = self._ask(name, "predict", body, wait_seconds, timeout_seconds, idempotent=True)
        return self._result(reply, Predictions)

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
        body = given(instances=_plain(instances), parameters=parameters)
        reply = self._ask(name, "explain", body, wait_seconds, EXPLAIN_TIMEOUT_SECONDS)
        return self._result(reply, Attributions)

    def _ask(
        self,
        name: str,
        verb: str,
        body: object,
        wait_seconds: int,
        timeout_seconds: float,
        *,
        idempotent: bool = False,
    ) -> Reply:
        return self._connection.send(
            self.service,
            "POST",
            f"/models/{segment(name)}:{verb}",
            body=body,
            headers={"Prefer": f"wait={wait_seconds}"} if wait_seconds else None,
            idempotent=idempotent,
            timeout_seconds=timeout_seconds,
        )


def _plain(instances: Instances) -> list[dict[str, Any]]:
    return [dict(instance) for instance in instances]
