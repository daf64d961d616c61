"""Results of the gateway (KServe V1)."""

from dynabench_api import gateway

from dynabench_client.results.base import Result

Model = gateway.ModelStatus
ModelNames = gateway.ModelList
ModelStatuses = gateway.ModelStatusList
Prediction = gateway.Prediction
Predictions = gateway.PredictionList


class ModelName(Result):
    """The name of a served model."""

    name: str
