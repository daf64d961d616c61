"""Notifications on the fake platform, and people's settings for them."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from flask import Flask, jsonify, request
from web_fake_refusals import refuse

ACCOUNTS = "/api/accounts/v1"
MAIL_TOKEN = "a-token-of-a-mail"
MODEL_NEWS = (
    *(("model_checked", outcome) for outcome in ("model_waits", "model_deployed", "model_refused")),
    *(("model_checked", outcome) for outcome in ("model_failed", "model_declined", "model_retired")),
    ("model_waits", "code"),
    *(("target_lost", outcome) for outcome in ("target_removed", "round_paused")),
)


class NoticeDesk:
    """The notices of everybody; whoever asks gets all, newest first."""

    def __init__(self, people: dict[str, Any]) -> None:
        self.people = people
        self.items: list[dict[str, Any]] = []
        self.settings: dict[str, Any] = {
            **{"mail": "daily", "not_on_page": [], "not_by_mail": []},
            "is_email_confirmed": False,
        }
        self.confirmations = 0

    def tell(self, kind: str, round_id: str | None, **more: Any) -> dict[str, Any]:
        """Add a notice at the top."""
        told = {
            "notice_id": str(uuid4()),
            "position": len(self.items) + 1,
            "kind": kind,
            "counts": {},
            "round_id": round_id,
            "round_number": 3 if round_id else None,
            "task_slug": "sentiment",
            "task_title": "Sentiment",
            "happened_at": "2026-01-07T09:30:00Z",
            "read_at": None,
            "submission_id": None,
            "model": None,
            "campaign_id": None,
            "example_id": None,
            "currency": None,
            **more,
        }
        self.items.insert(0, told)
        return told

    def tell_everything(self, round_id: str) -> None:
        """Add a notice of each kind."""
        counts = {"correct": 12, "incorrect": 3, "flagged": 1, "disputed": 2}
        self.tell("round_released", round_id, read_at="2026-01-07T10:00:00Z")
        self.tell("round_opened", round_id)
        self.tell("goal_reached", round_id, counts={"goal": 2000})
        self.tell("validating", None, counts={"paused": 1})
        self.tell("example_decided", round_id, counts={"correct": 1})
        self.tell("appeal_answered", round_id, counts={"asked_anew": 1})
        self.tell("work_waits", round_id, counts={"disputed": 4, "appealed": 1})
        self.tell("task_requested", None, counts={"asked": 2})
        self.tell("task_answered", None, counts={"refused": 1})
        pay = {"hourly": 640, "floor": 900, "top_up": 60}
        self.tell("pay_low", round_id, counts=pay, currency="GBP", campaign_id=str(uuid4()))
        self.tell("exclusion_appealed", round_id, counts={}, campaign_id=str(uuid4()))
        for kind, outcome in MODEL_NEWS:
            self.tell(kind, None, counts={outcome: 1}, submission_id=str(uuid4()), model="minilm-a v3")
        self.tell("example_resolved", round_id, counts=counts)

    def install(self, app: Flask, me: Callable[[], Any]) -> None:
        """Add the routes; `me` returns the person who asks, or refuses."""

        @app.get(f"{ACCOUNTS}/me/notices")
        def own_notices() -> Any:
            me()
            size, before = int(request.args.get("limit", 50)), int(request.args.get("cursor", 10**9))
            found = [each for each in self.items if each["position"] < before]
            rest = str(found[size - 1]["position"]) if len(found) > size else None
            return jsonify(items=found[:size], next_cursor=rest, unread=self.unread())

        @app.post(f"{ACCOUNTS}/me/notices/read")
        def own_notices_read() -> Any:
            me()
            for each in self.items:
                if each["position"] <= request.get_json()["up_to"]:
                    each["read_at"] = each["read_at"] or "2026-01-08T09:00:00Z"
            return jsonify(unread=self.unread())

        @app.get(f"{ACCOUNTS}/me/notice-settings")
        def own_notice_settings() -> Any:
            me()
            return jsonify(self.settings)

        @app.put(f"{ACCOUNTS}/me/notice-settings")
        def put_notice_settings() -> Any:
            me()
            body = request.get_json()
            if body["mail"] not in {"never", "daily", "weekly"}:
                refuse(422, "input-invalid", "mail", "mail is none of these.", "Use daily.")
            self.settings.update({name: body[name] for name in ("mail", "not_on_page", "not_by_mail")})
            return jsonify(self.settings)

        @app.post(f"{ACCOUNTS}/me/email-confirmation")
        def confirm_own_email() -> Any:
            me()
            self.confirmations += 1
            return "", 202

        @app.post(f"{ACCOUNTS}/unsubscriptions")
        def unsubscribe() -> Any:
            if request.get_json()["token"] != MAIL_TOKEN:
                refuse(410, "link-ended", "token", "The link is not whole.", "Use that of the mail.")
            self.settings["mail"] = "never"
            return jsonify(self.people["ada"].document())

    def unread(self) -> int:
        """Count what nobody has marked as read."""
        return sum(each["read_at"] is None for each in self.items)
