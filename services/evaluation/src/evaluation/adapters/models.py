"""The gateway over HTTP, in its lowest-priority lane."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote
from uuid import UUID

from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_events.score import Fault

from evaluation.domain.errors import InstancesRefused
from evaluation.domain.evaluations import EvaluationFailure, LiveModel, ModelAway

PREFIX = "/api/gateway/v1"
STATUSES = f"{PREFIX}/model-statuses"
LANE = {"X-Lane": "evaluation", "Prefer": "wait=20"}
EVALUATION = "X-Evaluation"
SECONDS = 60.0
RETRY_SECONDS = 5.0
BUSY_SECONDS = 1.0
REFUSALS = (400, 413, 422)


class HttpModels:
    """The served models."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def live(self) -> Sequence[LiveModel]:
        """Return what is served. Raises ModelAway."""
        try:
            models = self._client.call("GET", STATUSES, timeout_seconds=10.0)["models"]
            return [_live(each) for each in models if each["model_digest"] and each.get("accepted", True)]
        except UpstreamError as err:
            raise ModelAway(_detail(err), RETRY_SECONDS) from err
        except (LookupError, TypeError, ValueError) as err:
            raise ModelAway("the gateway's answer is malformed", RETRY_SECONDS) from err

    def predict(
        self, model: LiveModel, instances: Sequence[Mapping[str, str]], isolated: UUID | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Return a prediction, or an error, for each instance.

        Raises ModelAway, InstancesRefused, and EvaluationFailure where the model is not the one that was asked for.
        """
        path = f"{PREFIX}/models/{quote(model.name, safe='')}:predict"
        body = {"instances": [dict(instance) for instance in instances]}
        headers = LANE if isolated is None else {**LANE, EVALUATION: str(isolated)}
        try:
            answer = self._client.call("POST", path, body, timeout_seconds=SECONDS, headers=headers)
            digests = (str(answer["model_digest"]), str(answer["handler_digest"]))
            predictions: list[Mapping[str, Any]] = answer["predictions"]
        except UpstreamError as err:
            raise _trouble(err) from err
        except (LookupError, TypeError) as err:
            raise ModelAway("the gateway's answer is malformed", RETRY_SECONDS) from err
        if digests != (model.model_digest, model.handler_digest):
            raise EvaluationFailure(Fault.CANCELLED, "Another model answers under this name now.")
        return predictions


def _trouble(err: UpstreamError) -> Exception:
    if err.status in REFUSALS:
        return InstancesRefused(_detail(err))
    if err.status == 404:
        return EvaluationFailure(Fault.CANCELLED, "The model is no longer served.")
    seconds = BUSY_SECONDS if err.status == 429 else RETRY_SECONDS
    return ModelAway(_detail(err), max(float(err.retry_after or 0), seconds))


def _detail(err: UpstreamError) -> str:
    detail = err.body.get("detail") if isinstance(err.body, dict) else None
    return str(detail)[:300] if detail else "the gateway does not answer"


def _live(status: Mapping[str, Any]) -> LiveModel:
    submitter = status.get("submitted_by")
    return LiveModel(
        str(status["name"]),
        str(status["task"]),
        str(status["model_digest"]),
        str(status["handler_digest"]),
        None if submitter is None else UUID(str(submitter)),
        bool(status["published"]),
        worker_peak_bytes=status.get("worker_peak_bytes"),
    )
