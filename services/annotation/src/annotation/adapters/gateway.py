"""The gateway over HTTP (KServe V1), behind a circuit breaker."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from urllib.parse import quote

from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.http.concurrency_limit import ConcurrencyLimit
from dynabench_common.telemetry.tracing import person_variable
from urllib3.exceptions import TimeoutError

from annotation.adapters.circuit_breaker import CircuitBreaker, CircuitOpen
from annotation.domain.errors import (
    GatewayUnavailable,
    InspectionUnavailable,
    PredictionFailed,
    TargetRefusesInput,
    TargetUnknown,
)
from annotation.domain.target import Prediction, TargetDescription

PREFIX = "/api/gateway/v1"
STATUSES = f"{PREFIX}/model-statuses"
DESCRIBE_TIMEOUT_SECONDS = 5.0
DEADLINE = "X-Deadline-Milliseconds"
RETRY_SECONDS = 2
STOPPED = "stopped"
REFUSALS = (400, 413, 422)
EXPLAINING_SECONDS = 8
MOST_INSPECTIONS, MOST_INSPECTIONS_OF_ONE = 8, 4
"""Each inspection occupies a thread while the gateway works on it; these limits leave threads for tries."""


class HttpGateway:
    """Speaks with the served models; every call has a timeout and is made once."""

    def __init__(
        self, client: JsonClient, inspection_timeout_seconds: float, breaker: CircuitBreaker | None = None
    ) -> None:
        self._client = client
        self._inspection_timeout_seconds = inspection_timeout_seconds
        self._breaker = breaker or CircuitBreaker()
        self._inspections = ConcurrencyLimit(MOST_INSPECTIONS, MOST_INSPECTIONS_OF_ONE)

    def describe_all(self) -> Sequence[TargetDescription]:
        """Return the served models, by name. Raises GatewayUnavailable."""
        try:
            answer = self._call("GET", STATUSES, None, DESCRIBE_TIMEOUT_SECONDS)
            return tuple(_description(str(model["name"]), model) for model in answer["models"])
        except CircuitOpen as err:
            raise GatewayUnavailable(RETRY_SECONDS) from err
        except UpstreamError as err:
            raise GatewayUnavailable(err.retry_after or RETRY_SECONDS) from err
        except (LookupError, TypeError) as err:
            raise GatewayUnavailable(RETRY_SECONDS) from err

    def describe(self, target: str) -> TargetDescription:
        """Return a served model. Raises TargetUnknown, GatewayUnavailable."""
        try:
            answer = self._call("GET", _path(target), None, DESCRIBE_TIMEOUT_SECONDS)
        except CircuitOpen as err:
            raise GatewayUnavailable(RETRY_SECONDS) from err
        except UpstreamError as err:
            if err.status == 404:
                raise TargetUnknown(target, _detail(err)) from err
            raise GatewayUnavailable(err.retry_after or RETRY_SECONDS) from err
        return _description(target, answer)

    def predict(self, target: str, instance: Mapping[str, str], timeout_seconds: float) -> Prediction:
        """Return an answer. Raises PredictionFailed, TargetRefusesInput."""
        try:
            path = f"{_path(target)}:predict"
            body = {"instances": [dict(instance)]}
            return _prediction(self._call("POST", path, body, timeout_seconds))
        except CircuitOpen as err:
            raise PredictionFailed("the gateway is not reachable", RETRY_SECONDS) from err
        except UpstreamError as err:
            _refuse(target, err)
            raise PredictionFailed(_reason(err), err.retry_after) from err
        except (LookupError, TypeError, ValueError) as err:
            raise PredictionFailed("the answer is malformed") from err

    def explain(
        self, target: str, instance: Mapping[str, Any], label: str | None, n_steps: int | None
    ) -> Mapping[str, Any]:
        """Return token attributions, waiting for explanation workers that are only starting.

        Raises InspectionUnavailable, TargetUnknown, TargetRefusesInput.
        """
        caller = person_variable.get() or ""
        if not self._inspections.begin(caller):
            reason = "too many inspections are running"
            raise InspectionUnavailable(429, reason, RETRY_SECONDS)
        try:
            return self._explain(target, instance, label, n_steps)
        finally:
            self._inspections.end(caller)

    def _explain(
        self, target: str, instance: Mapping[str, Any], label: str | None, n_steps: int | None
    ) -> Mapping[str, Any]:
        chosen = {} if label is None else {"label": label}
        body = {
            "instances": [{**instance, **chosen}],
            "parameters": {} if n_steps is None else {"n_steps": n_steps},
        }
        try:
            path = f"{_path(target)}:explain"
            wait = {"Prefer": f"wait={int(self._inspection_timeout_seconds - EXPLAINING_SECONDS)}"}
            answer = self._call("POST", path, body, self._inspection_timeout_seconds, wait)
            explanation = answer["explanations"][0]
        except CircuitOpen as err:
            raise InspectionUnavailable(503, "the gateway is not reachable", RETRY_SECONDS) from err
        except UpstreamError as err:
            _refuse_inspection(target, err)
        except (LookupError, TypeError) as err:
            raise InspectionUnavailable(503, "the answer is malformed", RETRY_SECONDS) from err
        if not isinstance(explanation, dict) or "error" in explanation:
            raise InspectionUnavailable(503, "the target could not explain this text", RETRY_SECONDS)
        return {**explanation, "target": target, **_digests(answer)}

    def _call(
        self,
        method: str,
        path: str,
        body: object,
        timeout_seconds: float,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        self._breaker.enter()
        try:
            answer = self._client.call(
                method,
                path,
                body,
                timeout_seconds=timeout_seconds,
                headers={DEADLINE: str(int(timeout_seconds * 1000)), **(headers or {})},
            )
        except UpstreamError as err:
            if err.status is None:
                self._breaker.failed()
            else:
                self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return answer


def _path(target: str) -> str:
    return f"{PREFIX}/models/{quote(target, safe='')}"


def _description(name: str, described: Mapping[str, Any]) -> TargetDescription:
    return TargetDescription(
        name=name,
        ready=bool(described.get("ready")) or described.get("state") == STOPPED,
        task=str(described.get("task") or ""),
        task_type=str(described.get("task_type") or ""),
        labels=tuple(described.get("labels") or ()),
        fields=tuple(described.get("fields") or ()),
        published=bool(described.get("published", True)),
        submitted_by=described.get("submitted_by"),
    )


def _prediction(answer: Any) -> Prediction:
    first = answer["predictions"][0]
    if "error" in first:
        error = first["error"]
        detail = error.get("detail") if isinstance(error, dict) else error
        raise PredictionFailed(f"the target failed on this text: {str(detail)[:200]}")
    return Prediction(dict(first), **_digests(answer))


def _digests(answer: Any) -> dict[str, str]:
    return {name: str(answer[name]) for name in ("model_digest", "handler_digest")}


def _refuse(target: str, err: UpstreamError) -> None:
    if err.status in REFUSALS:
        raise TargetRefusesInput(target, _detail(err)) from err


def _refuse_inspection(target: str, err: UpstreamError) -> NoReturn:
    _refuse(target, err)
    if err.status == 404:
        raise TargetUnknown(target, _detail(err)) from err
    status = err.status if err.status in (429, 503) else 503
    raise InspectionUnavailable(status, _detail(err), err.retry_after or RETRY_SECONDS) from err


def _reason(err: UpstreamError) -> str:
    if isinstance(err.__cause__, TimeoutError):
        return "deadline"
    if err.status is None:
        return "no answer from the gateway"
    return f"status {err.status}: {_detail(err)}"


def _detail(err: UpstreamError) -> str:
    detail = err.body.get("detail") if isinstance(err.body, dict) else None
    return str(detail)[:300] if detail else str(err)[:300]
