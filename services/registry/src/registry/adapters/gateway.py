"""The gateway over HTTP, asked as everybody asks it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from dynabench_common.http.client import JsonClient, UpstreamError

from registry.domain.errors import PlatformBusy

PREFIX = "/api/gateway/v1/models"
SECONDS_ABOVE_WAIT = 15.0


class HttpPredictor:
    """Asks for predictions."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def predict(
        self, name: str, instances: Sequence[Mapping[str, str]], wait_seconds: int
    ) -> tuple[int, Mapping[str, Any]]:
        """Return status and body of the answer. Raises PlatformBusy if there is no answer."""
        path = f"{PREFIX}/{quote(name, safe='')}:predict"
        try:
            answer = self._client.call(
                "POST",
                path,
                {"instances": [dict(each) for each in instances]},
                timeout_seconds=wait_seconds + SECONDS_ABOVE_WAIT,
                headers={"Prefer": f"wait={wait_seconds}"},
            )
        except UpstreamError as err:
            if err.status is None:
                raise PlatformBusy(str(err)) from err
            return err.status, err.body if isinstance(err.body, dict) else {}
        return 200, answer if isinstance(answer, dict) else {}
