"""The owner's page of members, groups, and the page of an invitation."""

from html import unescape

import pytest
from web_fake_members import GROUP_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

MEMBERS = "/tasks/sentiment/members"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def main_of(visitor: Visitor, address: str) -> str:
    return unescape(visitor.get(address).text).split("<main")[1]


def test_an_owner_adds_and_removes_a_member(olga: Visitor, fake: FakePlatform) -> None:
    fake.add_person("grace")
    assert olga.post(MEMBERS, user_name="grace").status_code == 303
    assert fake.members.members == ["ada", "grace"]
    assert "grace" in main_of(olga, MEMBERS)
    person_id = fake.members.person("ada")["person_id"]
    assert olga.post(f"{MEMBERS}/removal", person_id=person_id).status_code == 303
    assert fake.members.members == ["grace"]


def test_an_unknown_name_stays_in_the_form(olga: Visitor) -> None:
    page = olga.post(MEMBERS, user_name="nobody-here")
    assert page.status_code == 422
    assert 'value="nobody-here"' in page.text


def test_a_new_link_is_shown_once(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.post(f"{MEMBERS}/invitations", days="7", uses="3")
    made = fake.members.invitations[0]
    assert f"/invitation?token={made['invitation_id']}" in page.text
    assert "token=" not in main_of(olga, MEMBERS)
    assert "0 of 3" in main_of(olga, MEMBERS)
    assert (
        olga.post(f"{MEMBERS}/invitations/withdrawal", invitation_id=made["invitation_id"]).status_code == 303
    )
    assert made["withdrawn_at"]


def test_a_link_without_a_number_of_days_is_refused(olga: Visitor) -> None:
    page = olga.post(f"{MEMBERS}/invitations", days="soon", uses="3")
    assert page.status_code == 422
    assert 'value="soon"' in page.text


def test_each_link_has_its_state(olga: Visitor) -> None:
    words = main_of(olga, MEMBERS)
    assert all(state in words for state in ("works", "withdrawn", "expired", "used up"))
    assert words.count("Withdraw the link") == 1


def test_an_owner_adds_a_group_and_removes_it(olga: Visitor, fake: FakePlatform) -> None:
    assert olga.post(f"{MEMBERS}/groups", group_id=GROUP_ID).status_code == 303
    assert fake.members.let_in == [GROUP_ID]
    assert olga.post(f"{MEMBERS}/groups", group_id=GROUP_ID, action="remove").status_code == 303
    assert fake.members.let_in == []


def test_an_owner_makes_a_group_fills_and_deletes_it(olga: Visitor, fake: FakePlatform) -> None:
    address = olga.post("/groups", name="Readers").headers["Location"]
    assert olga.post(f"{address}/people", user_name="ada").status_code == 303
    assert "ada" in main_of(olga, address)
    assert olga.post(f"{address}/people", user_name="nobody-here").status_code == 422
    person_id = fake.members.person("ada")["person_id"]
    assert olga.post(f"{address}/removal", person_id=person_id).status_code == 303
    assert olga.post(f"{address}/deletion").status_code == 303
    assert list(fake.members.groups) == [GROUP_ID]
    assert olga.post("/groups", name="").status_code == 422


def test_a_person_joins_by_a_link(ada: Visitor, fake: FakePlatform) -> None:
    token = fake.members.invitations[0]["invitation_id"]
    assert "Join the task" in main_of(ada, f"/invitation?token={token}")
    assert ada.post("/invitation", token=token).headers["Location"].startswith("/tasks/sentiment")
    refused = ada.post("/invitation", token=token)
    assert refused.status_code == 410
    assert "As many people used this invitation" in refused.text


def test_a_stranger_signs_up_first_and_a_forged_link_says_so(visitor: Visitor, fake: FakePlatform) -> None:
    token = fake.members.invitations[0]["invitation_id"]
    assert f"/sign-up?next=/invitation%3Ftoken%3D{token}" in main_of(visitor, f"/invitation?token={token}")
    assert visitor.get("/invitation?token=forged").status_code == 404
