"""Calls from one service to another: pooled, each with a timeout, failures wrapped in one exception."""

import json
from collections.abc import Mapping
from typing import Any

import urllib3

from dynabench_common.pools import new_pool, reason_of
from dynabench_common.telemetry.spans import calling
from dynabench_common.telemetry.tracing import current_request_id, person_variable

ON_BEHALF_OF = "X-On-Behalf-Of"
"""The person on whose behalf a service calls. Only services with the permission may send it."""


class UpstreamError(Exception):
    """A call failed: `status` is None when no answer came."""

    def __init__(
        self, message: str, status: int | None = None, body: Any = None, retry_after: int | None = None
    ):
        super().__init__(message)
        self.status = status
        self.body = body
        self.retry_after = retry_after


class JsonClient:
    """Speaks JSON with one service over keep-alive connections. It never retries."""

    def __init__(
        self, base_url: str, timeout_seconds: float, token: str | None = None, pool_size: int = 32
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._timeout_seconds = timeout_seconds
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._pool = new_pool(maxsize=pool_size, block=False)

    def call(
        self,
        method: str,
        path: str,
        body: object | None = None,
        *,
        timeout_seconds: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Return the decoded JSON of a 2xx answer (None for an empty one).

        Raises UpstreamError for any other answer or none.
        """
        url = self._base_url + path
        all_headers = self._all_headers(headers, has_body=body is not None)
        try:
            with calling(method, url, all_headers) as answered:
                response = self._pool.request(
                    method,
                    url,
                    body=None if body is None else json.dumps(body).encode(),
                    headers=all_headers,
                    timeout=urllib3.Timeout(total=timeout_seconds or self._timeout_seconds),
                )
                answered(response.status)
        except urllib3.exceptions.HTTPError as err:
            raise UpstreamError(f"{method} {path}: no answer: {reason_of(err)}") from err
        decoded = _decode(response.data)
        if not 200 <= response.status < 300:
            retry_after = response.headers.get("Retry-After", "")
            raise UpstreamError(
                f"{method} {path}: status {response.status}",
                response.status,
                decoded,
                int(retry_after) if retry_after.isdigit() else None,
            )
        return decoded

    def _all_headers(self, headers: Mapping[str, str] | None, has_body: bool) -> dict[str, str]:
        content_type = {"Content-Type": "application/json"} if has_body else {}
        merged = {**content_type, **self._headers, **(headers or {})}
        request_id, person = current_request_id(), person_variable.get()
        if person:
            merged[ON_BEHALF_OF] = person
        if request_id:
            merged["X-Request-Id"] = request_id
        return merged


def _decode(data: bytes) -> Any:
    if not data:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
