"""People on the fake platform: their passwords and addresses, and what administrators see and do."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from flask import Flask, jsonify, request
from web_fake_access import AccessDesk, recognise
from web_fake_notices import NoticeDesk
from web_fake_refusals import Refused, refuse

ACCOUNTS, VALIDATION = "/api/accounts/v1", "/api/validation/v1"
LINK = "a-link-of-a-mail"


class PeopleDesk:
    """Data of people except their names; `mails` are the mails that were requested."""

    def __init__(self, people: dict[str, Any], tokens: dict[str, dict[str, Any]]) -> None:
        self.people = people
        self.tokens = tokens
        self.disabled: dict[str, dict[str, Any]] = {}
        self.mails: list[tuple[str, str]] = []
        self.standings: dict[str, list[dict[str, Any]]] = {}
        self.mail_counts: dict[str, Any] = {
            **{"waiting": 0, "oldest_at": None},
            **{"trouble": None, "given_up": 0},
        }
        self.records: dict[str, list[dict[str, Any]]] = {}
        self.decided: list[tuple[str, str, str]] = []
        self.changes: list[dict[str, Any]] = []
        self.nicknames: dict[str, str] = {}
        self.reported: list[dict[str, Any]] = []
        self.hidden: dict[str, tuple[str, str]] = {}
        self.task_requests: dict[str, dict[str, Any]] = {}
        self.access = AccessDesk(people)
        self.notices = NoticeDesk(people)

    def install(self, app: Flask, me: Callable[[], Any]) -> None:
        """Add the routes; `me` returns the person who asks, or refuses."""
        self._own(app, me)
        self._nicknames(app, me)
        self._task_requests(app, me)
        self._links(app)
        self._administration(app, me)
        self._letters(app, me)
        self.notices.install(app, me)

    def named(self, person_id: str) -> Any:
        return next(person for person in self.people.values() if str(person.person_id) == person_id)

    def listed(self, person: Any) -> dict[str, Any]:
        at = self.disabled.get(str(person.person_id), {}).get("disabled_at")
        return {**person.document(), "email": f"{person.user_name}@example.org", "disabled_at": at}

    def known(self, person: Any) -> dict[str, Any]:
        nothing = {"disabled_by": None, "disabled_by_name": None, "disabled_reason": None}
        told = self.disabled.get(str(person.person_id), nothing)
        factor = {"has_second_factor": person.user_name in self.access.factors}
        seen = {"sessions": 2, "api_tokens": 1, "last_seen_at": "2026-01-08T09:00:00Z"}
        return {**self.listed(person), **told, **factor, **seen}

    def pause(self, person: Any, by: str = "checks", **more: Any) -> None:
        """Let a person be paused in the sentiment task."""
        said = {"reason": None, "failures": 5, "appeal": None, "paused_at": "2026-01-07T09:00:00Z", **more}
        standing = {"task_slug": "sentiment", "state": "paused", "paused_by": by, **said}
        self.standings.setdefault(str(person.person_id), []).append(standing)

    def _nicknames(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/nicknames")
        def desk_nicknames() -> Any:
            asked = [each for each in request.args.getlist("person_id") if each in self.nicknames]
            return jsonify(items=[{"person_id": each, "nickname": self.nicknames[each]} for each in asked])

        @app.get(f"{ACCOUNTS}/me/nickname")
        def desk_own_nickname() -> Any:
            return jsonify(nickname=self.nicknames.get(str(me().person_id)), hidden_reason="")

        @app.put(f"{ACCOUNTS}/me/nickname")
        def desk_choose_nickname() -> Any:
            chosen, person_id = request.get_json()["nickname"], str(me().person_id)
            if chosen in self.nicknames.values():
                refuse(
                    409, "nickname-taken", "nickname", "Another person has this nickname.", "Choose another."
                )
            self.nicknames |= {person_id: chosen}
            return jsonify(nickname=chosen, hidden_reason="")

        @app.post(f"{ACCOUNTS}/people/<person_id>/nickname-reports")
        def desk_report(person_id: str) -> Any:
            me()
            more = {"reports": 1, "reason": request.get_json()["reason"]}
            self.reported.append({"person_id": person_id, "nickname": self.nicknames[person_id], **more})
            return "", 204

        @app.get(f"{ACCOUNTS}/nickname-reports")
        def desk_reports() -> Any:
            return jsonify(items=self.reported)

        @app.put(f"{ACCOUNTS}/people/<person_id>/nickname-state")
        def desk_nickname_state(person_id: str) -> Any:
            me()
            self.reported.clear()
            body = request.get_json()
            if body["state"] == "hidden":
                self.hidden[person_id] = (self.nicknames.pop(person_id), body["reason"])
            elif person_id in self.hidden:
                self.nicknames[person_id] = self.hidden.pop(person_id)[0]
            return "", 204

        @app.get(f"{ACCOUNTS}/hidden-nicknames")
        def desk_hidden() -> Any:
            found = [
                {"person_id": person_id, "nickname": nickname, "reason": reason}
                for person_id, (nickname, reason) in self.hidden.items()
            ]
            size, start = int(request.args.get("limit", 50)), int(request.args.get("cursor", 0))
            rest = str(start + size) if len(found) > start + size else None
            return jsonify(items=found[start : start + size], next_cursor=rest)

    def _task_requests(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/me/task-request")
        def desk_own_task_request() -> Any:
            return jsonify(request=self.task_requests.get(str(me().person_id)))

        @app.put(f"{ACCOUNTS}/me/task-request")
        def desk_ask_for_task() -> Any:
            body, person_id = request.get_json(), str(me().person_id)
            if not body["reason"].strip():
                refuse(422, "reason-unusable", "reason", "reason must have 1 to 500 characters.", "Say why.")
            if (slug := body["task_slug"]) == "sentiment":
                taken = f"A task has the address {slug}, or another person may start one there."
                refuse(409, "task-owned", "task_slug", taken, "Choose another address.")
            asked = {"asked_at": "2026-01-08T09:00:00Z", "state": "open", "answer": ""}
            self.task_requests[person_id] = {**body, **asked}
            return jsonify(request=self.task_requests[person_id])

        @app.get(f"{ACCOUNTS}/task-requests")
        def desk_open_task_requests() -> Any:
            me()
            return jsonify(
                items=[
                    {**each, "person_id": person_id, "user_name": self.named(person_id).user_name}
                    for person_id, each in self.task_requests.items()
                    if each["state"] == "open"
                ]
            )

        @app.put(f"{ACCOUNTS}/people/<person_id>/task-request")
        def desk_answer_task_request(person_id: str) -> Any:
            me()
            body, asked = request.get_json(), self.task_requests[person_id]
            asked |= {"state": body["state"], "answer": body["answer"]}
            if body["state"] == "granted":
                found = self.named(person_id)
                found.roles = sorted({*found.roles, f"owner:{body['task_slug']}"})
            return "", 204

    def _own(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/me/email")
        def desk_email() -> Any:
            return jsonify(email=f"{me().user_name}@example.org")

        @app.put(f"{ACCOUNTS}/me/password")
        def desk_password() -> Any:
            body, person = request.get_json(), me()
            recognise(person, body["current_password"])
            if len(body["new_password"]) < 10:
                refuse(
                    422, "new-password-unusable", "new_password", "new_password has 5 characters.", "More."
                )
            person.password = body["new_password"]
            return "", 204

        @app.post(f"{ACCOUNTS}/me/email-changes")
        def desk_email_change() -> Any:
            body = request.get_json()
            recognise(me(), body["current_password"])
            self.mails.append(("new_email", body["email"]))
            return "", 202

    def _links(self, app: Flask) -> None:
        @app.post(f"{ACCOUNTS}/password-resets")
        def desk_reset() -> Any:
            self.mails.append(("new_password", request.get_json()["email"]))
            return "", 202

        @app.post(f"{ACCOUNTS}/new-passwords")
        def desk_choose() -> Any:
            body = request.get_json()
            _ensure_live(body["token"])
            ada = self.people["ada"]
            if len(body["password"]) < 10:
                refuse(422, "password-unusable", "password", "password has 5 characters.", "Use more.")
            ada.password = body["password"]
            return jsonify(person=ada.document(), api_tokens=list(self.tokens.values()))

        @app.post(f"{ACCOUNTS}/email-confirmations")
        def desk_confirm() -> Any:
            _ensure_live(request.get_json()["token"])
            return jsonify(self.people["ada"].document())

    def _administration(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/people")
        def desk_people() -> Any:
            me()
            part = request.args.get("search", "").lower()
            found = [self.listed(person) for person in self.people.values()]
            items = [each for each in found if part in each["user_name"] or part in each["email"]]
            size, start = int(request.args.get("limit", 50)), 0
            if request.args.get("cursor"):
                start = int(request.args["cursor"])
            rest = str(start + size) if len(items) > start + size else None
            return jsonify(items=items[start : start + size], next_cursor=rest)

        @app.get(f"{ACCOUNTS}/people/counts")
        def desk_counts() -> Any:
            me()
            return jsonify(people=len(self.people), administrators=1, disabled=len(self.disabled), new=1)

        @app.get(f"{ACCOUNTS}/mails/counts")
        def desk_mails() -> Any:
            me()
            return jsonify(self.mail_counts)

        @app.get(f"{ACCOUNTS}/people/<person_id>")
        def desk_person(person_id: str) -> Any:
            me()
            return jsonify(self.known(self.named(person_id)))

        @app.post(f"{ACCOUNTS}/people/<person_id>/role-changes")
        def desk_roles(person_id: str) -> Any:
            body, found = request.get_json(), self.named(person_id)
            if "admin" in body["revoke"] and found is me():
                _own_administration()
            self.changes.append(body)
            found.roles = sorted({*found.roles, *body["grant"]} - {*body["revoke"]})
            return jsonify(self.known(found))

        @app.put(f"{ACCOUNTS}/people/<person_id>/state")
        def desk_state(person_id: str) -> Any:
            body, by = request.get_json(), me()
            self.disabled.pop(person_id, None)
            if body["state"] == "disabled":
                self.disabled[person_id] = {
                    "disabled_at": "2026-01-08T10:00:00Z",
                    "disabled_by": str(by.person_id),
                    "disabled_by_name": by.user_name,
                    "disabled_reason": body["reason"],
                }
            return jsonify(self.known(self.named(person_id)))

        @app.get(f"{VALIDATION}/people/<person_id>/standings")
        def desk_standings(person_id: str) -> Any:
            me()
            return jsonify(items=self.standings.get(person_id, []))

    def _letters(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get("/api/<service>/v1/dead-letters/records")
        def desk_records(service: str) -> Any:
            me()
            return jsonify(items=self.records.get(service, []))

        @app.post("/api/<service>/v1/dead-letters/records/<record_id>/redrive")
        def desk_redrive(service: str, record_id: str) -> Any:
            self.decided.append((service, record_id, "requested"))
            return jsonify(record_id=record_id, decision="requested"), 202

        @app.post("/api/<service>/v1/dead-letters/records/<record_id>/discard")
        def desk_discard(service: str, record_id: str) -> Any:
            self.decided.append((service, record_id, request.get_json()["reason"]))
            return jsonify(record_id=record_id, decision="discarded")


def set_aside(**more: Any) -> dict[str, Any]:
    """Return a record that was set aside."""
    return {
        "record_id": str(uuid4()),
        "consumer": "leaderboard",
        "topic": "dynabench.example.v1",
        "type": "",
        "reason": "The verdict is of no known kind.",
        "failed_at": "2026-01-08T08:00:00Z",
        "attempts": 3,
        "held_back": 2,
        "is_requested": False,
        "is_kept": True,
        **more,
    }


def _ensure_live(token: str) -> None:
    if token != LINK:
        detail = "The link was used already, has expired, or is incomplete."
        remedy = "Ask for a new link. Only the link in the newest mail works."
        refuse(410, "link-ended", "token", detail, remedy, "The link does not work")


def _own_administration() -> None:
    said = {
        "title": "Not for your own account",
        "detail": "You can't remove your own administrator role or disable your own account.",
        "remedy": "Ask another administrator to do it.",
    }
    raise Refused(409, {"type": "/problems/own-administration", **said})
