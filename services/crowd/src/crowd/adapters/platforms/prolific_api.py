"""Calls of Prolific's API: JSON with a token, failures in the terms of the protocol.

A call says which of three things happened: nothing, perhaps something, or a refusal. A read that got no answer is
repeated once. A write is never repeated here, since most of Prolific's writes, payments above all, are not idempotent.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any
from urllib.parse import urlencode

import urllib3
from dynabench_common.pools import new_pool, reason_of
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, SSLError

from crowd.domain.platforms import OutcomeUnknown, Refused, Unavailable

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 20.0
TOO_MANY_CALLS, OVERLOADED = 429, 503
DENIED = (401, 403)
PAGE_SIZE = 100
LONGEST_REASON = 500
ID = re.compile(r"\b[0-9a-f]{24}\b")
"""Ids of participants, submissions and studies, removed from reasons: owners must not learn a person's identity."""


class ApiRefused(Refused):
    """A refusal with its HTTP status."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


class Overloaded(Unavailable):
    """Status 503. The API itself means that nothing was done, but a proxy in front of it may answer so as well."""


class ProlificApi:
    """Keep-alive connections to the API. Paths and bodies are never logged: they contain ids of people."""

    def __init__(self, api_url: str, token: str) -> None:
        self._api_url = api_url.rstrip("/")
        self._headers = {"Authorization": f"Token {token}", "User-Agent": "dynabench"}
        self._pool = new_pool(maxsize=8, block=False)
        self._timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=ANSWER_SECONDS)

    def read(self, path: str) -> Any:
        """Return the answer to a GET. Raises Unavailable, ApiRefused."""
        try:
            return self._send("GET", path, None)
        except OutcomeUnknown:
            pass
        try:
            return self._send("GET", path, None)
        except OutcomeUnknown as err:
            raise Unavailable(str(err)) from err

    def read_all(self, path: str, query: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
        """Yield the results of all pages. Endpoints without pages answer with everything, which is yielded once."""
        seen: set[str] = set()
        for page in count(1):
            asked = {**query, "page": str(page), "page_size": str(PAGE_SIZE)}
            answer = self.read(f"{path}?{urlencode(asked)}")
            fresh = [each for each in _results(answer) if each["id"] not in seen]
            yield from fresh
            seen.update(each["id"] for each in fresh)
            total = (answer.get("meta") or {}).get("count")
            is_last = len(fresh) < PAGE_SIZE if total is None else len(seen) >= total
            if not fresh or is_last:
                return

    def write(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        """Return the answer to a change. Raises Unavailable, OutcomeUnknown, ApiRefused."""
        return self._send(method, path, body)

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        is_json = {} if body is None else {"Content-Type": "application/json"}
        try:
            response = self._pool.request(
                method,
                self._api_url + path,
                body=None if body is None else json.dumps(body).encode(),
                headers={**self._headers, **is_json},
                timeout=self._timeout,
            )
        except (NewConnectionError, ConnectTimeoutError) as err:
            raise Unavailable("Prolific can't be reached") from err
        except SSLError as err:
            raise Unavailable(f"Prolific can't be reached: {reason_of(err)}") from err
        except HTTPError as err:
            raise OutcomeUnknown("Prolific did not answer") from err
        return _decoded(response.status, response.data)


def _results(answer: Any) -> list[Mapping[str, Any]]:
    try:
        return [each for each in answer["results"] if each["id"]]
    except (LookupError, TypeError) as err:
        raise Unavailable("Prolific's answer is malformed") from err


def _decoded(status: int, data: bytes) -> Any:
    try:
        answer = json.loads(data) if data else None
    except ValueError:
        answer = None
    if 200 <= status < 300:
        return answer
    if status == TOO_MANY_CALLS:
        raise Unavailable(f"Prolific asks to wait (status {status})")
    if status == OVERLOADED:
        raise Overloaded(f"Prolific asks to wait (status {status})")
    if status >= 500:
        raise OutcomeUnknown(f"Prolific answered with status {status}")
    if status in DENIED:
        raise ApiRefused(
            "Prolific does not accept the API token, or it lacks a right. Check token_file", status
        )
    raise ApiRefused(_reason(answer) or f"Prolific answered with status {status}", status)


def _reason(answer: Any) -> str:
    """Return the reason that the API gives, as a text without ids."""
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    detail = error.get("detail") or error.get("title") if isinstance(error, dict) else error
    return ID.sub("…", _flat(detail))[:LONGEST_REASON]


def _flat(detail: Any) -> str:
    if isinstance(detail, dict):
        return "; ".join(f"{name}: {_flat(each)}" for name, each in detail.items())
    if isinstance(detail, list):
        return " ".join(_flat(each) for each in detail)
    return "" if detail is None else str(detail)
