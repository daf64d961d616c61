"""Signing out ends the session in every service and on the pages."""

from http import HTTPStatus
from typing import Any

import urllib3
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until

from tests.scenarios import PASSWORD, sign_up

READ = {
    "gateway": "/api/gateway/v1/models",
    "annotation": "/api/annotation/v1/examples/0192f5a0-0000-7000-8000-000000000001",
    "validation": "/api/validation/v1/examples/0192f5a0-0000-7000-8000-000000000001",
    "accounts": "/api/accounts/v1/tokens",
}


def test_access_tokens_die_with_their_session(platform: Any) -> None:
    anybody = Dynabench(platform.url)
    signed_in = anybody.accounts.sign_in(sign_up(platform.url).user_name, PASSWORD)
    headers = {"Authorization": f"Bearer {signed_in.access_token}"}

    def status(service: str) -> int:
        return urllib3.request("GET", platform.url + READ[service], headers=headers).status

    before = {service: status(service) for service in READ}
    assert set(before.values()) <= {HTTPStatus.OK, HTTPStatus.NOT_FOUND}
    anybody.accounts.sign_out(signed_in.refresh_token)
    assert status("accounts") == HTTPStatus.UNAUTHORIZED
    for service in READ:
        wait_until(
            lambda service=service: status(service) == HTTPStatus.UNAUTHORIZED,
            what=f"{service} to refuse the token",
        )
