"""Members, groups and invitations on the fake platform."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from flask import Flask, jsonify, request
from web_fake_refusals import refuse

ACCOUNTS = "/api/accounts/v1"
GROUP_ID = str(UUID(int=71))
AT, LATER, LONG_AGO = "2026-01-08T10:00:00Z", "2126-01-08T10:00:00Z", "2025-01-08T10:00:00Z"


class MembersDesk:
    """The members of a task, the groups of its owner, and invitations; the secret of each is its id."""

    def __init__(self, people: dict[str, Any], slug: str) -> None:
        self.people = people
        self.slug = slug
        self.members: list[str] = ["ada"]
        self.groups: dict[str, dict[str, Any]] = {
            GROUP_ID: {"group_id": GROUP_ID, "name": "Linguists", "people": ["ada"]}
        }
        self.let_in: list[str] = []
        self.invitations = [
            self.invitation(),
            self.invitation(withdrawn_at=AT),
            self.invitation(expires_at=LONG_AGO),
            self.invitation(uses=1),
        ]

    @staticmethod
    def invitation(**more: Any) -> dict[str, Any]:
        made = {"invitation_id": str(uuid4()), "made_at": AT, "expires_at": LATER, "most_uses": 1, "uses": 0}
        return {**made, "withdrawn_at": None, **more}

    def person(self, user_name: str) -> dict[str, Any]:
        return {"person_id": str(self.people[user_name].person_id), "user_name": user_name}

    def install(self, app: Flask, me: Callable[[], Any]) -> None:
        """Add the routes."""
        self._members(app, me)
        self._invitations(app, me)
        self._groups(app, me)

    def _named(self) -> str:
        name: str = request.get_json()["user_name"]
        if name not in self.people:
            detail = "user_name belongs to nobody."
            refuse(422, "user-name-unusable", "user_name", detail, "Ask the person for the user name.")
        return name

    def _name_of(self, person_id: str) -> str:
        return next(name for name, each in self.people.items() if str(each.person_id) == person_id)

    def _members(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/tasks/<slug>/members")
        def desk_members(slug: str) -> Any:
            me()
            return jsonify(items=[{**self.person(each), "added_at": AT} for each in self.members])

        @app.post(f"{ACCOUNTS}/tasks/<slug>/members")
        def desk_add_member(slug: str) -> Any:
            me()
            self.members.append(self._named())
            return "", 204

        @app.delete(f"{ACCOUNTS}/tasks/<slug>/members/<person_id>")
        def desk_remove_member(slug: str, person_id: str) -> Any:
            me()
            self.members.remove(self._name_of(person_id))
            return "", 204

        @app.get(f"{ACCOUNTS}/tasks/<slug>/groups")
        def desk_task_groups(slug: str) -> Any:
            me()
            return jsonify(items=[self._counted(each) for each in self.let_in])

        @app.put(f"{ACCOUNTS}/tasks/<slug>/groups/<group_id>")
        def desk_let_in(slug: str, group_id: str) -> Any:
            me()
            self.let_in.append(group_id)
            return "", 204

        @app.delete(f"{ACCOUNTS}/tasks/<slug>/groups/<group_id>")
        def desk_keep_out(slug: str, group_id: str) -> Any:
            me()
            self.let_in.remove(group_id)
            return "", 204

    def _invitations(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/tasks/<slug>/invitations")
        def desk_invitations(slug: str) -> Any:
            me()
            return jsonify(items=self.invitations)

        @app.post(f"{ACCOUNTS}/tasks/<slug>/invitations")
        def desk_invite(slug: str) -> Any:
            me()
            body = request.get_json()
            if not 1 <= body["days"] <= 365:
                refuse(422, "days-unusable", "days", "days must be from 1 to 365.", "Give fewer days.")
            made = self.invitation(most_uses=body["uses"])
            self.invitations.insert(0, made)
            return jsonify(**made, secret=made["invitation_id"]), 201

        @app.delete(f"{ACCOUNTS}/tasks/<slug>/invitations/<invitation_id>")
        def desk_withdraw(slug: str, invitation_id: str) -> Any:
            me()
            self._found(invitation_id)["withdrawn_at"] = AT
            return "", 204

        @app.post(f"{ACCOUNTS}/invitations/checks")
        def desk_check() -> Any:
            self._working()
            return "", 204

        @app.post(f"{ACCOUNTS}/invitations/uses")
        def desk_use() -> Any:
            me()
            self._working()["uses"] += 1
            return jsonify(task_slug=self.slug)

    def _found(self, secret: str) -> dict[str, Any]:
        found = next((each for each in self.invitations if each["invitation_id"] == secret), None)
        if found is None:
            detail = "There is no invitation with this id."
            refuse(404, "invitation-not-found", "invitation", detail, "Check the id.")
        return found

    def _working(self) -> dict[str, Any]:
        found = self._found(request.get_json()["secret"])
        if found["withdrawn_at"]:
            detail = "The owners of the task withdrew this invitation."
            refuse(410, "invitation-withdrawn", "", detail, "Ask them for a new link.")
        if found["uses"] >= found["most_uses"]:
            detail = "As many people used this invitation as it allows."
            refuse(410, "invitation-used-up", "", detail, "Ask the owners of the task for a new link.")
        return found

    def _groups(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/groups")
        def desk_groups() -> Any:
            me()
            return jsonify(items=[self._counted(each) for each in self.groups])

        @app.post(f"{ACCOUNTS}/groups")
        def desk_make_group() -> Any:
            me()
            name, group_id = request.get_json()["name"], str(uuid4())
            if not name:
                detail = "name must have 1 to 60 characters."
                refuse(422, "name-unusable", "name", detail, "Choose another name.")
            self.groups[group_id] = {"group_id": group_id, "name": name, "people": []}
            return jsonify(group_id=group_id), 201

        @app.get(f"{ACCOUNTS}/groups/<group_id>")
        def desk_group(group_id: str) -> Any:
            me()
            found = self.groups[group_id]
            return jsonify(**{**found, "people": [self.person(each) for each in found["people"]]})

        @app.delete(f"{ACCOUNTS}/groups/<group_id>")
        def desk_delete_group(group_id: str) -> Any:
            me()
            del self.groups[group_id]
            return "", 204

        @app.post(f"{ACCOUNTS}/groups/<group_id>/people")
        def desk_join_group(group_id: str) -> Any:
            me()
            self.groups[group_id]["people"].append(self._named())
            return "", 204

        @app.delete(f"{ACCOUNTS}/groups/<group_id>/people/<person_id>")
        def desk_leave_group(group_id: str, person_id: str) -> Any:
            me()
            self.groups[group_id]["people"].remove(self._name_of(person_id))
            return "", 204

    def _counted(self, group_id: str) -> dict[str, Any]:
        found = self.groups[group_id]
        return {**found, "people": len(found["people"])}
