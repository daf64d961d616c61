"""Second factors and sessions on the fake platform."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from flask import Flask, Response, jsonify, request
from web_fake_refusals import Refused, refuse

ACCOUNTS = "/api/accounts/v1"
CODE = "123456"
RECOVERY_CODES = [f"ABCD-EFGH-IJKL-{number:04}" for number in range(10)]
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


class AccessDesk:
    """Second factors and sessions of people; `CODE` is always right."""

    def __init__(self, people: dict[str, Any]) -> None:
        self.people = people
        self.factors: set[str] = set()
        self.is_required = False
        self.resets: list[str] = []
        self.issuers: list[dict[str, str]] = []
        self.linked: set[str] = set()
        self.without_password: set[str] = set()
        self.deleted: dict[str, bool] = {}
        self.sessions = [
            self.session("Firefox, Linux", is_current=True),
            self.session("Safari, iOS"),
            self.session(""),
        ]

    @staticmethod
    def session(device: str, *, is_current: bool = False) -> dict[str, Any]:
        return {
            "session_id": str(uuid4()),
            "device": device,
            "started_at": "2026-01-07T09:00:00Z",
            "last_used_at": "2026-01-08T09:00:00Z",
            "is_current": is_current,
        }

    def claims(self, person: Any) -> dict[str, Any]:
        """Return the claims that a token has where a second factor is required."""
        if not self.is_required or person.user_name in self.factors or person.roles == ["annotator"]:
            return {}
        return {"roles": ["annotator"], "second_factor_missing": True}

    def ask_for_code(self, person: Any) -> None:
        """Refuse the first step of a person with a second factor."""
        if person.user_name in self.factors:
            texts = {"title": "Code needed", "detail": "This account has a second factor.", "field": "code"}
            raise Refused(
                401, {"type": "/problems/second-factor-needed", "challenge": person.user_name, **texts}
            )

    def install(self, app: Flask, me: Callable[[], Any], session: Callable[[Any], Any]) -> None:
        """Add the routes; `session` begins one."""

        @app.post(f"{ACCOUNTS}/sessions/second-step")
        def desk_second_step() -> Any:
            body = request.get_json()
            if body["challenge"] not in self.people:
                texts = {"title": "Not signed in", "detail": "Too late."}
                raise Refused(401, {"type": "/problems/sign-in-step-ended", **texts})
            _ensure_right(body["code"])
            return session(self.people[body["challenge"]])

        @app.get(f"{ACCOUNTS}/me/second-factor")
        def desk_factor() -> Any:
            person = me()
            is_on = person.user_name in self.factors
            return jsonify(
                is_on=is_on, is_missing=bool(self.claims(person)), recovery_codes=10 if is_on else 0
            )

        @app.post(f"{ACCOUNTS}/me/second-factor")
        def desk_start_factor() -> Any:
            recognise(me(), request.get_json()["current_password"])
            return jsonify(
                secret=SECRET, uri=f"otpauth://totp/Dynabench:ada?secret={SECRET}&issuer=Dynabench"
            )

        @app.put(f"{ACCOUNTS}/me/second-factor")
        def desk_confirm_factor() -> Any:
            _ensure_right(request.get_json()["code"])
            self.factors.add(me().user_name)
            return jsonify(codes=RECOVERY_CODES)

        @app.post(f"{ACCOUNTS}/me/recovery-codes")
        def desk_recovery_codes() -> Any:
            me()
            _ensure_right(request.get_json()["code"])
            return jsonify(codes=RECOVERY_CODES)

        @app.post(f"{ACCOUNTS}/me/second-factor/removal")
        def desk_remove_factor() -> Any:
            body, person = request.get_json(), me()
            recognise(person, body["current_password"])
            _ensure_right(body["code"])
            self.factors.discard(person.user_name)
            return "", 204

        @app.post(f"{ACCOUNTS}/people/<person_id>/second-factor-reset")
        def desk_reset_factor(person_id: str) -> Any:
            reason = request.get_json()["reason"]
            if not reason:
                refuse(422, "reason-unusable", "reason", "reason must have 1 to 500 characters.", "Say why.")
            self.resets.append(reason)
            self.factors -= {name for name, each in self.people.items() if str(each.person_id) == person_id}
            return "", 204

        self._sessions(app, me)
        self._issuers(app, me, session)
        self._own_data(app, me)

    def _own_data(self, app: Flask, me: Callable[[], Any]) -> None:
        for service in (
            "accounts",
            "annotation",
            "crowd",
            "leaderboard",
            "registry",
            "scoring",
            "validation",
        ):
            app.add_url_rule(
                f"/api/{service}/v1/people/me/data",
                f"{service}_own_data",
                lambda: Response(
                    f'{{"table": "person", "person_id": "{me().person_id}"}}\n',
                    content_type="application/jsonl",
                ),
            )

        @app.post(f"{ACCOUNTS}/me/deletion")
        def desk_deletion() -> Any:
            body, person = request.get_json(), me()
            if person.user_name not in self.without_password:
                recognise(person, body["current_password"])
            if person.user_name in self.factors:
                _ensure_right(body["code"])
            self.deleted[person.user_name] = body["withdraws_texts"]
            return "", 204

    def _issuers(self, app: Flask, me: Callable[[], Any], session: Callable[[Any], Any]) -> None:
        def start(body: dict[str, str]) -> Any:
            url = f"{request.host_url}issuer/{body['issuer']}"
            return jsonify(url=url, secret="kept-by-the-browser")

        def ensure_begun(body: dict[str, str]) -> None:
            if body["secret"] != "kept-by-the-browser" or body["state"] != "good":
                texts = {"title": "Not signed in", "detail": "The answer of Campus does not count: no."}
                raise Refused(401, {"type": "/problems/issuer-answer-refused", **texts})

        @app.get(f"{ACCOUNTS}/issuers")
        def desk_issuers() -> Any:
            return jsonify(items=self.issuers)

        @app.post(f"{ACCOUNTS}/issuer-sign-ins")
        def desk_issuer_start() -> Any:
            return start(request.get_json())

        @app.post(f"{ACCOUNTS}/sessions/issuer")
        def desk_issuer_session() -> Any:
            ensure_begun(request.get_json())
            self.ask_for_code(self.people["ada"])
            return session(self.people["ada"])

        @app.get(f"{ACCOUNTS}/me/ways-in")
        def desk_ways_in() -> Any:
            times = {"linked_at": "2026-01-07T09:00:00Z", "last_used_at": "2026-01-08T09:00:00Z"}
            linked = [{**each, **times} for each in self.issuers if each["name"] in self.linked]
            return jsonify(has_password=me().user_name not in self.without_password, issuers=linked)

        @app.post(f"{ACCOUNTS}/me/issuer-links")
        def desk_link_start() -> Any:
            body, person = request.get_json(), me()
            if person.user_name not in self.without_password:
                recognise(person, body["current_password"])
            return start(body)

        @app.post(f"{ACCOUNTS}/me/issuers")
        def desk_link() -> Any:
            ensure_begun(request.get_json())
            self.linked.add(request.get_json()["issuer"])
            return "", 204

        @app.delete(f"{ACCOUNTS}/me/issuers/<issuer>")
        def desk_unlink(issuer: str) -> Any:
            self.linked.discard(issuer)
            return "", 204

    def _sessions(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{ACCOUNTS}/me/sessions")
        def desk_own_sessions() -> Any:
            me()
            return jsonify(items=self.sessions)

        @app.delete(f"{ACCOUNTS}/me/sessions/<session_id>")
        def desk_end_session(session_id: str) -> Any:
            self.sessions = [each for each in self.sessions if each["session_id"] != session_id]
            return "", 204

        @app.delete(f"{ACCOUNTS}/me/sessions")
        def desk_end_others() -> Any:
            self.sessions = self.sessions[:1]
            return "", 204


def recognise(person: Any, password: str) -> None:
    """Refuse a wrong present password."""
    if password != person.password:
        detail, remedy = "This is not your present password.", "Type the password that you sign in with now."
        refuse(422, "current-password-wrong", "current_password", detail, remedy, "Wrong password")


def _ensure_right(code: str) -> None:
    if code != CODE:
        detail = "The code is wrong or was used before."
        remedy = "Type the code that the app shows now, or a recovery code that you have not used."
        refuse(422, "code-wrong", "code", detail, remedy, "Wrong code")
