"""Assigned work on the fake platform."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import uuid4

from flask import Flask, jsonify, request
from web_fake_refusals import refuse

BASE = "/api/annotation/v1"
TODAY = date(2026, 1, 8)


class OrdersDesk:
    """Assigned work; `tries` and `votes` are what each person has done of theirs, `votes_on_chosen` on examples."""

    def __init__(self, people: dict[str, Any]) -> None:
        self.people = people
        self.orders: dict[str, dict[str, Any]] = {}
        self.tries = 3
        self.votes, self.votes_on_chosen, self.left = 2, 1, 2

    def add(self, round_id: str, person_id: str, name: str, **other: Any) -> dict[str, Any]:
        order_id = str(uuid4())
        order = {
            "order_id": order_id,
            "task_slug": "sentiment",
            "round_id": round_id,
            "person_id": person_id,
            "name": name,
            "activity": "create",
            "topic": "",
            "contexts": 0,
            "withdrawn_contexts": 0,
            "examples": 0,
            "units": 10,
            "due_on": "2099-01-09",
            "assigned_at": "2026-01-07T10:00:00Z",
            **other,
        }
        self.orders[order_id] = {**order, "done": self.tries if order["activity"] == "create" else None}
        return self.orders[order_id]

    def install(self, app: Flask, me: Callable[[], str]) -> None:
        """Add the routes."""

        def mine() -> Any:
            return jsonify(items=[each for each in self.orders.values() if each["person_id"] == me()])

        def of_task(slug: str) -> Any:
            found = [each for each in self.orders.values() if each["task_slug"] == slug]
            return jsonify(items=found[::-1], next_cursor=None)

        def assign(round_id: str) -> Any:
            body = request.get_json()
            self._check(body)
            chosen: dict[str, Any] = {
                name: len(body.pop(f"{name[:-1]}_ids", [])) for name in ("contexts", "examples")
            }
            for person in body.pop("people"):
                self.add(round_id, **person, **body, **chosen)
            return "", 204

        def withdraw(order_id: str) -> Any:
            self.orders.pop(order_id, None)
            return "", 204

        def reassign(order_id: str) -> Any:
            body = request.get_json()
            self._check(body)
            self.orders[order_id].update(body)
            return "", 204

        def named() -> Any:
            people = [self.people[name] for name in request.args.getlist("user_name") if name in self.people]
            return jsonify(
                items=[{"person_id": str(each.person_id), "user_name": each.user_name} for each in people]
            )

        def votes(round_id: str, voter_id: str) -> Any:
            if "order_id" in request.args:
                return jsonify(votes=self.votes_on_chosen, left=self.left)
            return jsonify(votes=self.votes, left=None)

        for method, path, view in (
            ("GET", f"{BASE}/work-orders", mine),
            ("GET", f"{BASE}/tasks/<slug>/work-orders", of_task),
            ("POST", f"{BASE}/rounds/<round_id>/work-orders", assign),
            ("POST", f"{BASE}/work-orders/<order_id>/withdrawal", withdraw),
            ("POST", f"{BASE}/work-orders/<order_id>/reassignment", reassign),
            ("GET", "/api/accounts/v1/people/named", named),
            ("GET", "/api/validation/v1/rounds/<round_id>/voters/<voter_id>/count", votes),
        ):
            app.add_url_rule(path, f"orders_{view.__name__}", view, methods=[method])

    def _check(self, body: dict[str, Any]) -> None:
        if date.fromisoformat(body["due_on"]) < TODAY:
            refuse(422, "input-unusable", "due_on", "due_on is in the past.", "Choose today or a later day.")
