"""Members of tasks, groups and invitations over HTTP."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from accounts.bootstrap import AppDependencies
from dynabench_common.testing import FixedClock, service_headers

from .conftest import PASSWORD, Api
from .notice_story import Story, listed, of

TASK = "/tasks/secret"


@pytest.fixture
def owner(administrator: Api, api: Api) -> Api:
    person = api.new_person("olga")
    give(administrator, person, "owner:secret")
    return person.again()


@pytest.fixture
def ada(api: Api) -> Api:
    return api.new_person("ada")


def give(administrator: Api, person: Api, role: str) -> None:
    answer = administrator.call("POST", f"/people/{person.person_id}/role-changes", {"grant": [role]})
    assert answer.status_code == 200


def roles(person: Api, dependencies: AppDependencies) -> frozenset[str]:
    """Return the roles of a person who takes a new access token now."""
    return dependencies.verifier.principal(f"Bearer {person.again().token}").roles


def invite(owner: Api, days: int = 7, uses: int = 2) -> Any:
    answer = owner.call("POST", f"{TASK}/invitations", {"days": days, "uses": uses})
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()


def use(person: Api, secret: str) -> tuple[int, str]:
    answer = person.call("POST", "/invitations/uses", {"secret": secret})
    return answer.status_code, answer.get_json().get("task_slug") or answer.get_json()["type"].rpartition(
        "/"
    )[2]


def group(owner: Api, *people: str) -> str:
    group_id: str = owner.call("POST", "/groups", {"name": "Linguists"}).get_json()["group_id"]
    for user_name in people:
        added = owner.call("POST", f"/groups/{group_id}/people", {"user_name": user_name})
        assert added.status_code == 204
    return group_id


def test_a_member_has_the_role_until_an_owner_takes_it_away(
    owner: Api, ada: Api, dependencies: AppDependencies
) -> None:
    assert owner.call("POST", f"{TASK}/members", {"user_name": "Ada"}).status_code == 204
    assert "member:secret" in roles(ada, dependencies)
    listed = owner.call("GET", f"{TASK}/members").get_json()["items"]
    assert [each["user_name"] for each in listed] == ["ada"]
    assert owner.call("DELETE", f"{TASK}/members/{ada.person_id}").status_code == 204
    assert "member:secret" not in roles(ada, dependencies)


def test_a_removal_counts_in_mid_session(owner: Api, ada: Api) -> None:
    owner.call("POST", f"{TASK}/members", {"user_name": "ada"})
    before = ada.again()
    assert before.call("GET", "/me").status_code == 200
    owner.call("DELETE", f"{TASK}/members/{ada.person_id}")
    refused = before.call("GET", "/me")
    assert (refused.status_code, refused.get_json()["type"]) == (401, "/problems/token-expired")
    answer = before.call("GET", "/ended-sessions", headers=service_headers("annotation")).get_json()
    assert answer["roles_versions"] == {owner.person_id: 1, ada.person_id: 2}


def test_a_role_taken_away_counts_in_mid_session(administrator: Api, owner: Api) -> None:
    answer = administrator.call(
        "POST", f"/people/{owner.person_id}/role-changes", {"revoke": ["owner:secret"]}
    )
    assert answer.status_code == 200
    assert owner.call("GET", f"{TASK}/members").status_code == 401
    assert owner.again().call("GET", f"{TASK}/members").status_code == 403


def test_only_the_owners_of_a_task_manage_its_members(
    administrator: Api, owner: Api, ada: Api, api: Api
) -> None:
    invitation = invite(owner)["invitation_id"]
    group_id = group(owner)
    give(administrator, ada, "owner:other")
    other = ada.again()
    for method, path, body in (
        ("GET", f"{TASK}/members", None),
        ("POST", f"{TASK}/members", {"user_name": "ada"}),
        ("DELETE", f"{TASK}/members/{ada.person_id}", None),
        ("GET", f"{TASK}/groups", None),
        ("PUT", f"{TASK}/groups/{group_id}", None),
        ("DELETE", f"{TASK}/groups/{group_id}", None),
        ("GET", f"{TASK}/invitations", None),
        ("POST", f"{TASK}/invitations", {"days": 1, "uses": 1}),
        ("DELETE", f"{TASK}/invitations/{invitation}", None),
    ):
        assert other.call(method, path, body).status_code == 403, path
        assert api.call(method, path, body).status_code == 401, path
    for method, path, body in (
        ("GET", f"/groups/{group_id}", None),
        ("DELETE", f"/groups/{group_id}", None),
        ("POST", f"/groups/{group_id}/people", {"user_name": "ada"}),
        ("DELETE", f"/groups/{group_id}/people/{ada.person_id}", None),
        ("PUT", f"/tasks/other/groups/{group_id}", None),
    ):
        assert other.call(method, path, body).status_code == 404, path


def test_people_of_a_group_are_members_of_its_tasks(
    owner: Api, ada: Api, api: Api, dependencies: AppDependencies
) -> None:
    lin = api.new_person("linus")
    group_id = group(owner, "ada")
    assert owner.call("PUT", f"{TASK}/groups/{group_id}").status_code == 204
    assert "member:secret" in roles(ada, dependencies)
    owner.call("POST", f"/groups/{group_id}/people", {"user_name": "linus"})
    assert "member:secret" in roles(lin, dependencies)
    owner.call("DELETE", f"/groups/{group_id}/people/{ada.person_id}")
    assert "member:secret" not in roles(ada, dependencies)
    assert owner.call("GET", f"{TASK}/groups").get_json()["items"] == [
        {"group_id": group_id, "name": "Linguists", "people": 1}
    ]
    shown = owner.call("GET", f"/groups/{group_id}").get_json()
    assert [each["user_name"] for each in shown["people"]] == ["linus"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", "/groups/{}", None),
        ("DELETE", TASK + "/groups/{}", None),
        ("POST", "/me/deletion", {"current_password": PASSWORD, "withdraws_texts": False}),
    ],
)
def test_memberships_end_with_the_group_and_with_its_owner(
    owner: Api, ada: Api, dependencies: AppDependencies, method: str, path: str, body: Any
) -> None:
    group_id = group(owner, "ada")
    owner.call("PUT", f"{TASK}/groups/{group_id}")
    before = ada.again()
    assert owner.call(method, path.format(group_id), body).status_code == 204
    assert before.call("GET", "/me").status_code == 401
    assert "member:secret" not in roles(ada, dependencies)


def test_a_group_needs_a_name_of_its_own_and_people_who_exist(owner: Api) -> None:
    group_id = group(owner)
    assert owner.call("POST", "/groups", {"name": " Linguists "}).status_code == 409
    assert owner.call("POST", "/groups", {"name": " "}).status_code == 422
    unknown = owner.call("POST", f"/groups/{group_id}/people", {"user_name": "nobody-here"})
    assert (unknown.status_code, unknown.get_json()["field"]) == (422, "user_name")
    assert [each["name"] for each in owner.call("GET", "/groups").get_json()["items"]] == ["Linguists"]


def test_an_invitation_lets_in_as_many_people_as_it_says(
    owner: Api, ada: Api, api: Api, dependencies: AppDependencies
) -> None:
    secret = invite(owner, uses=1)["secret"]
    assert api.call("POST", "/invitations/checks", {"secret": secret}).status_code == 204
    assert use(ada, secret) == (200, "secret")
    assert "member:secret" in roles(ada, dependencies)
    assert use(ada.again(), secret) == (200, "secret")
    assert use(api.new_person("linus"), secret) == (410, "invitation-used-up")
    assert owner.call("GET", f"{TASK}/invitations").get_json()["items"][0]["uses"] == 1


def test_an_invitation_that_does_not_work_says_why(owner: Api, ada: Api, clock: FixedClock) -> None:
    assert use(ada, "forged") == (404, "invitation-not-found")
    withdrawn = invite(owner)
    path = f"{TASK}/invitations/{withdrawn['invitation_id']}"
    assert owner.call("DELETE", path).status_code == 204
    assert use(ada, withdrawn["secret"]) == (410, "invitation-withdrawn")
    secret = invite(owner, days=1)["secret"]
    clock.move(timedelta(days=1).total_seconds())
    assert use(ada.again(), secret) == (410, "invitation-expired")
    checked = ada.call("POST", "/invitations/checks", {"secret": secret})
    assert checked.status_code == 401 or checked.status_code == 410


@pytest.mark.parametrize(
    ("days", "uses", "field"), [(0, 1, "days"), (366, 1, "days"), (1, 0, "uses"), (1, 501, "uses")]
)
def test_an_invitation_needs_an_end_and_a_number_of_uses(
    owner: Api, days: int, uses: int, field: str
) -> None:
    answer = owner.call("POST", f"{TASK}/invitations", {"days": days, "uses": uses})
    assert (answer.status_code, answer.get_json()["field"]) == (422, field)


def test_people_of_a_campaign_become_members_with_their_session(
    owner: Api, api: Api, dependencies: AppDependencies
) -> None:
    crowd, person_id = service_headers("crowd"), "0192a000-0000-7000-8000-000000000001"
    body = {"minutes": 60, "task_slug": "secret"}
    answer = api.call("POST", f"/crowd-people/{person_id}/sessions", body, headers=crowd).get_json()
    principal = dependencies.verifier.principal(f"Bearer {answer['access_token']}")
    assert "member:secret" in principal.roles
    assert owner.call("GET", f"{TASK}/members").get_json()["items"] == []


def test_notices_about_a_private_task_are_read_by_its_members_alone(
    administrator: Api, api: Api, story: Story
) -> None:
    ada, round_id = api.new_person("ada"), story.open_round()
    example = story.written(round_id, of(ada))
    story.tell(example, story.resolved(example))
    assert len(listed(ada)) == 1
    story.tell(replace(story.task(), configuration_version=2, configuration={"access": "invited"}))
    assert listed(ada) == []
    assert ada.call("GET", "/me/notices").get_json()["unread"] == 0
    give(administrator, administrator, "owner:sentiment")
    added = administrator.again().call("POST", "/tasks/sentiment/members", {"user_name": "ada"})
    assert added.status_code == 204
    assert len(listed(ada.again())) == 1


def test_the_owners_of_a_private_task_are_named_to_nobody_else(
    administrator: Api, owner: Api, ada: Api, story: Story
) -> None:
    story.slug = "secret"
    story.tell(replace(story.task(), configuration={"access": "invited"}))
    assert ada.call("GET", f"{TASK}/owners").get_json() == {"items": []}
    assert owner.call("GET", f"{TASK}/owners").get_json()["items"][0]["user_name"] == "olga"
