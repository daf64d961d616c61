"""Paid work on the fake platform, for the people who do it: offers, entries, and their own assignments."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from dynabench_common.testing import service_token
from flask import Flask, jsonify, request
from web_fake_loop import Loop
from web_fake_refusals import refuse

BASE = "/api/crowd/v1"
WORKER = "PROLIFIC_PID"
FORGED = "forged"
TITLE = "Fool a model about food"
CODE = "C1X9QZ7A"
BACK_URL = "https://app.prolific.example/submissions/complete?cc=C1X9QZ7A"


class WorkDesk:
    """Campaigns as workers meet them; what is done follows from the examples and votes of the fake platform."""

    def __init__(self, loop: Loop, admit: Callable[[], tuple[str, dict[str, Any]]]) -> None:
        self.loop = loop
        self.admit = admit
        self.offers: dict[str, dict[str, Any]] = {}
        self.rounds: dict[str, str] = {}
        self.works: dict[str, dict[str, Any]] = {}
        self.people: dict[tuple[str, str], str] = {}
        self.entries: list[dict[str, Any]] = []
        self.costs: list[dict[str, Any]] = []

    def offer(self, work: str = "create", round_id: str = "", **changes: Any) -> str:
        """Add a campaign and return its id."""
        campaign_id, in_round = str(uuid4()), round_id or self.loop.round_id
        slug = self.loop.find_round(in_round)["task_slug"]
        self.rounds[campaign_id] = in_round
        self.offers[campaign_id] = {
            "campaign_id": campaign_id,
            "task": slug,
            "task_title": self.loop.task(slug)["title"],
            "work": work,
            "state": "running",
            "title": TITLE,
            "platform": "prolific",
            "platform_title": "Prolific",
            "units": 2,
            "reward_minor": 150,
            "bonus_minor": 30 if work == "create" else 0,
            "currency": "GBP",
            "minutes": 60,
            "typical_minutes": 8.2,
            "languages": ["en"],
            "is_open": True,
            **changes,
        }
        return campaign_id

    def change(self, **changes: Any) -> str:
        """Change the newest assignment and return its id."""
        found = list(self.works.values())[-1]
        found.update(changes)
        return str(found["assignment_id"])

    def _accept(self, campaign_id: str, person_id: str) -> dict[str, Any]:
        offer = self.offers[campaign_id]
        kept = ("campaign_id", "task", "work", "units", "reward_minor", "bonus_minor", "currency")
        made = {
            **{name: offer[name] for name in kept},
            "assignment_id": str(uuid4()),
            "round_id": self.rounds[campaign_id],
            "state": "working",
            "done": None,
            "validated_errors_in_round": 0,
            "deadline": (datetime.now(UTC) + timedelta(minutes=offer["minutes"], seconds=20)).isoformat(),
            "can_finish": None,
            "why": None,
            "code": None,
            "back_url": None,
            "fair_play": None,
            "person_id": person_id,
        }
        self.works[made["assignment_id"]] = made
        return made

    def _shown(self, work: dict[str, Any]) -> dict[str, Any]:
        own = self.loop.examples_of(work["round_id"], work["person_id"])
        counted = len(own) if work["work"] == "create" else len(self.loop.votes)
        done = counted if work["done"] is None else work["done"]
        can = done >= work["units"] if work["can_finish"] is None else work["can_finish"]
        shown = {**work, "done": done, "can_finish": work["state"] == "working" and can}
        return {name: value for name, value in shown.items() if name != "person_id"}

    def install(self, app: Flask, me: Callable[[], str]) -> None:
        """Add the routes; `me` returns the id of the person who asks, or refuses."""
        self._entry(app)
        self._own(app, me)

        @app.get(f"{BASE}/rounds/<round_id>/error-cost")
        def error_cost(round_id: str) -> Any:
            return jsonify(round_id=round_id, items=self.costs)

    def _entry(self, app: Flask) -> None:
        @app.get(f"{BASE}/campaigns/<campaign_id>/offer")
        def work_offer(campaign_id: str) -> Any:
            return jsonify(self.offers[campaign_id])

        @app.post(f"{BASE}/entries")
        def work_entry() -> Any:
            if request.headers["Authorization"] != f"Bearer {service_token('web')}":
                refuse(403, "not-allowed", "Authorization", "Only the pages may.", "Start there.")
            body = request.get_json()
            self.entries.append(body)
            worker = body["parameters"].get(WORKER, "")
            if worker == FORGED:
                refuse(
                    *(403, "entry-invalid", "parameters", "The platform did not send this entry."),
                    *("Start from the platform's list of studies.", "This link does not let you in"),
                )
            key = (body["campaign_id"], worker)
            if key not in self.people and not self.offers[body["campaign_id"]]["is_open"]:
                detail = "Other people have taken all places."
                refuse(
                    409, "campaign-full", "campaign_id", detail, "Choose another study.", "No place is free"
                )
            person_id, session = self.admit()
            if key in self.people:
                work = self.works[self.people[key]]
                work["person_id"] = person_id
            else:
                work = self._accept(body["campaign_id"], person_id)
                self.people[key] = work["assignment_id"]
            return jsonify(work=self._shown(work), session=session), 201

    def _own(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get(f"{BASE}/me/assignments")
        def own_work() -> Any:
            person_id = me()
            mine = [self._shown(each) for each in self.works.values() if each["person_id"] == person_id]
            return jsonify(items=mine[::-1])

        @app.put(f"{BASE}/assignments/<assignment_id>/completion")
        def work_completion(assignment_id: str) -> Any:
            me()
            work = self.works[assignment_id]
            nothing_left = request.get_json()["nothing_left"]
            if not self._shown(work)["can_finish"] and not nothing_left and work["state"] == "working":
                detail, remedy = "There are texts left to work on.", "Do the rest, or give the work back."
                refuse(409, "units-missing", "assignment_id", detail, remedy, "The work is not complete")
            why = "nothing_left" if nothing_left else None
            work.update(state="submitted", code=CODE, back_url=BACK_URL, why=why)
            return jsonify(self._shown(work))

        @app.post(f"{BASE}/assignments/<assignment_id>/appeal")
        def work_appeal(assignment_id: str) -> Any:
            me()
            found = self.works[assignment_id]["fair_play"]
            if found["appeal"]:
                refuse(409, "appeal-refused", "text", "You can appeal once.", "Load the page again.")
            found.update(appeal=request.get_json()["text"], appealed_at=found["decided_at"])
            return jsonify(self._shown(self.works[assignment_id]))

        @app.put(f"{BASE}/assignments/<assignment_id>/return")
        def work_return(assignment_id: str) -> Any:
            me()
            self.works[assignment_id]["state"] = "returned"
            return jsonify(self._shown(self.works[assignment_id]))
