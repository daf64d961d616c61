"""Sending bytes to an address that the platform signed, outside of its own interface."""

from collections.abc import Mapping

import urllib3
from urllib3.exceptions import HTTPError

from dynabench_client.errors import UnreachableError

CONNECT_SECONDS, READ_SECONDS = 5.0, 120.0


class ImageNotSentError(Exception):
    """The object store did not take the bytes."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the object store answered {status}: the address may have expired, so start again")
        self.status = status


def send_bytes(url: str, method: str, headers: Mapping[str, str], content: bytes) -> None:
    """Send all of `content` in one request. Raises ImageNotSentError, UnreachableError."""
    timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS)
    try:
        answer = urllib3.request(
            method, url, body=content, headers=dict(headers), timeout=timeout, retries=False, redirect=False
        )
    except HTTPError as err:
        raise UnreachableError(url.partition("?")[0], str(err)) from err
    if answer.status >= 300:
        raise ImageNotSentError(answer.status)
