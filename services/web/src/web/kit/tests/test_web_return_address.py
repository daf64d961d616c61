"""Signing in leads back to where one was, and never off the platform."""

import pytest
from web.kit.security import HOME, safe_return

ROUND = "/rounds/0198-a/create?example=0198-b"


@pytest.mark.parametrize("address", ["/", "/tasks/sentiment", ROUND, "/tasks/a%20b"])
def test_addresses_of_our_own_are_kept(address: str) -> None:
    assert safe_return(address) == address


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "tasks/sentiment",
        "https://evil.example/",
        "//evil.example/",
        "///evil.example/",
        "/\\evil.example/",
        "\\/evil.example/",
        "/\t/evil.example/",
        "/\n/evil.example/",
        " //evil.example/",
        "/a b",
        "javascript:alert(1)",
        "/" + "a" * 3000,
        "/sign-in",
        "/sign-in?next=/",
        "/sign-out",
    ],
)
def test_any_other_address_leads_home(address: str | None) -> None:
    assert safe_return(address) == HOME
