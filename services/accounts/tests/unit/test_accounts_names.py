"""Validation of user names, mail addresses, roles and cohorts."""

import pytest
from accounts.domain import names, roles
from accounts.domain.errors import FieldRefused


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("ada", "ada"),
        ("Ada.Lovelace", "ada.lovelace"),
        ("  ada-1815_b ", "ada-1815_b"),
        ("7even", "7even"),
        ("a" * 40, "a" * 40),
    ],
)
def test_a_user_name_is_kept_in_lower_case_without_surrounding_space(given: str, stored: str) -> None:
    assert names.user_name(given) == stored


@pytest.mark.parametrize(
    "given", ["", "   ", "ab", "a" * 41, "ada lovelace", "ada@home", "äda", "-ada", ".ada", "ada\n2", "а" * 5]
)
def test_any_other_user_name_is_refused_by_field(given: str) -> None:
    with pytest.raises(FieldRefused) as refused:
        names.user_name(given)
    assert refused.value.field == "user_name"


@pytest.mark.parametrize("given", ["ada@example.org", "a.b+c@sub.example.org", "demo@localhost", "x@1.2"])
def test_a_mail_address_has_the_form_that_browsers_accept(given: str) -> None:
    assert names.email(f" {given} ") == given


@pytest.mark.parametrize(
    "given",
    [
        "",
        "ada",
        "@example.org",
        "ada@",
        "a b@example.org",
        "ada@exa mple",
        "ada@-x.org",
        "a@b@c",
        "a\x00@b",
        "=?utf-8?q?=0a?=@b.c",
    ],
)
def test_any_other_mail_address_is_refused_by_field(given: str) -> None:
    with pytest.raises(FieldRefused) as refused:
        names.email(given)
    assert refused.value.field == "email"


def test_a_mail_address_past_254_characters_is_refused() -> None:
    with pytest.raises(FieldRefused):
        names.email("a" * 250 + "@b.org")


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ([], {"annotator"}),
        (["annotator"], {"annotator"}),
        (["admin"], {"annotator", "admin"}),
        (["owner:sentiment", "owner:nli"], {"annotator", "owner:sentiment", "owner:nli"}),
    ],
)
def test_everyone_is_an_annotator_whatever_else(given: list[str], held: set[str]) -> None:
    assert roles.role_set(given) == held


@pytest.mark.parametrize("given", ["Admin", "owner:", "owner:Sentiment", "owner:-x", "owner:a b", "root", ""])
def test_a_word_that_is_no_role_is_refused_and_named(given: str) -> None:
    with pytest.raises(FieldRefused) as refused:
        roles.role_set(["annotator", given])
    assert repr(given) in refused.value.reason


def test_a_person_can_not_hold_endless_roles() -> None:
    with pytest.raises(FieldRefused):
        roles.role_set(f"owner:task-{number}" for number in range(101))


def test_a_word_that_is_no_cohort_is_refused() -> None:
    assert roles.cohort("expert") == "expert"
    with pytest.raises(FieldRefused):
        roles.cohort("imported")
