"""Campaigns on the fake platform, for owners: drafts, assignments, what is owed, payments and the ledger."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from flask import Flask, Response, jsonify, request
from web_fake_loop import Loop
from web_fake_refusals import refuse

BASE = "/api/crowd/v1"
WORKER_ID = "5f0c1d2e3a4b5c6d7e8f9a0b"
"""A platform's id of a person; no page shows it."""
FLOOR, RECOMMENDED, MINUTES_FOR_A_UNIT = 900, 1200, 2
PLATFORMS = [
    {
        "name": "prolific",
        "title": "Prolific (sandbox)",
        "currencies": ["GBP", "USD"],
        "proves_people": True,
        "pays": True,
        "is_test": True,
    },
    {
        "name": "sona",
        "title": "University pool",
        "currencies": ["EUR"],
        "proves_people": False,
        "pays": False,
        "is_test": False,
    },
]
ASSIGNMENT_STATES = (
    *("submitted", "submitted", "working", "approved", "rejected"),
    *("returned", "timed_out", "screened_out"),
)
REASON = "The texts have nothing to do with the task, and each one repeats the same three words. See the guidelines."
AT = "2026-01-08T10:00:00Z"


def decision(word: str, reason: str, appeal: str | None = None) -> dict[str, Any]:
    """Return an owner's decision about a person."""
    return {
        "decision": word,
        "reason": reason,
        "decided_at": AT,
        "appeal": appeal,
        "appealed_at": AT if appeal else None,
        "answer": None,
        "answered_at": None,
    }


class CampaignDesk:
    """Campaigns of one task; a test changes what it needs."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.campaigns: dict[str, dict[str, Any]] = {}
        self.assignments: dict[str, list[dict[str, Any]]] = {}
        self.payments: dict[str, list[dict[str, Any]]] = {}
        self.platforms = list(PLATFORMS)
        self.keys: dict[str, str] = {}
        self.top_ups: list[int] = []
        self.evidence: dict[str, list[dict[str, Any]]] = {}

    def add(self, state: str = "running", **changes: Any) -> str:
        """Add a campaign with an assignment in each state, unless it is a draft, and return its id."""
        body = {
            "work": "create",
            "title": "Fool a model about food",
            "platform": "prolific",
            "units": 5,
            "places": 20,
            "reward_minor": 150,
            "bonus_minor": 30,
            "screen_out_minor": 20,
            "currency": "GBP",
            "minutes": 60,
            "languages": ["en"],
            "qualifications": ["native speakers"],
        }
        campaign_id: str = self._made(self.loop.round_id, {**body, **changes})["campaign_id"]
        if state != "draft":
            self._launch(campaign_id, state)
        self.campaigns[campaign_id].update(changes)
        return campaign_id

    def add_evidence(self, campaign_id: str, appeal: str | None = None) -> str:
        """Let a person stand out by every sign, and another appeal if there are words; return the first's work."""
        first, second = self.assignments[campaign_id][:2]
        findings = [
            {
                "kind": kind,
                "figure": figure,
                "units": 5,
                "characters": 312 if kind == "pasted" else None,
                "base_rate": 0.025,
                "people": [second["person_id"]] if kind in {"alike", "device", "address"} else [],
            }
            for kind, figure in (
                *(("fast", 4.0), ("pasted", 0.8), ("alike", 0.4)),
                *(("alone", 0.6), ("device", 2), ("address", 2)),
            )
        ]
        self.evidence[campaign_id] = [
            {**self._suspect(first), "findings": findings},
            *(
                [{**self._suspect(second), "fair_play": decision("excluded", REASON, appeal)}]
                if appeal
                else []
            ),
        ]
        self.campaigns[campaign_id]["open_appeals"] = int(appeal is not None)
        return str(first["assignment_id"])

    def _suspect(self, assignment: dict[str, Any]) -> dict[str, Any]:
        kept = {name: assignment[name] for name in ("assignment_id", "person_id", "state")}
        return {**kept, "findings": [], "fair_play": None}

    def _made(self, round_id: str, body: dict[str, Any]) -> dict[str, Any]:
        campaign_id = str(uuid4())
        self.campaigns[campaign_id] = {
            **body,
            "campaign_id": campaign_id,
            "task": self.loop.find_round(round_id)["task_slug"],
            "round_id": round_id,
            "state": "draft",
            "study_id": None,
            "study_url": None,
            "entry_url": f"https://lab.example/crowd/{campaign_id}",
            "problem": None,
            "counts": {},
            "open_appeals": 0,
            "units_done": 0,
            "validated_errors": 0,
            "reserved_minor": 0,
            "owed_minor": 0,
            "paid_minor": 0,
            "lost_minor": 0,
            "created_at": AT,
            "launched_at": None,
            "ended_at": None,
        }
        self.assignments[campaign_id], self.payments[campaign_id] = [], []
        return self.campaigns[campaign_id]

    def _launch(self, campaign_id: str, state: str) -> None:
        found = self.campaigns[campaign_id]
        self.assignments[campaign_id] = [self._assignment(found, each) for each in ASSIGNMENT_STATES]
        found.update(
            state=state,
            study_id="study-1",
            study_url="https://app.prolific.example/studies/study-1",
            launched_at=AT,
            ended_at=AT if state == "ended" else None,
            units_done=18,
            validated_errors=4,
            reserved_minor=3600,
            owed_minor=210,
            paid_minor=126,
            lost_minor=30,
        )
        self.payments[campaign_id] = [
            self._payment(found, "bonus", "prepared"),
            self._payment(found, "reward", "paid"),
            self._payment(found, "top_up", "unknown"),
            {
                **self._payment(found, "screen_out", "refused"),
                "problem": "The balance is too low.",
                "is_unpaid": True,
            },
        ]
        self._count(campaign_id)

    def _assignment(self, campaign: dict[str, Any], state: str) -> dict[str, Any]:
        is_done = state in {"submitted", "approved", "rejected"}
        return {
            "assignment_id": str(uuid4()),
            "person_id": str(uuid4()),
            "state": state,
            "done": campaign["units"] if is_done else 2,
            "validated_errors": 1 if is_done else 0,
            "accepted_at": AT,
            "submitted_at": "2026-01-08T10:09:00Z" if is_done else None,
            "minutes": 9.0 if is_done else None,
            "owed_minor": 30 if state == "approved" else 0,
            "paid_minor": 126 if state == "approved" else 0,
            "rejection_category": "low_effort" if state == "rejected" else None,
            "rejection": REASON if state == "rejected" else None,
            "why": "nothing_left" if state == "approved" else None,
            "is_proved": state != "working",
        }

    def _payment(self, campaign: dict[str, Any], kind: str, state: str) -> dict[str, Any]:
        person = self.assignments[campaign["campaign_id"]][0]
        return {
            "payment_id": str(uuid4()),
            **{name: person[name] for name in ("assignment_id", "person_id")},
            "kind": kind,
            "amount_minor": 30,
            "currency": campaign["currency"],
            "state": state,
            "is_unconfirmed": False,
            "is_unpaid": False,
            "problem": None,
            "made_at": AT,
            "settled_at": AT if state == "paid" else None,
        }

    def _count(self, campaign_id: str) -> None:
        states = [each["state"] for each in self.assignments[campaign_id]]
        self.campaigns[campaign_id]["counts"] = {each: states.count(each) for each in states}

    def _assigned(self, assignment_id: str) -> tuple[dict[str, Any], str]:
        return next(
            (each, campaign_id)
            for campaign_id, all_of in self.assignments.items()
            for each in all_of
            if each["assignment_id"] == assignment_id
        )

    def _decide(self, assignment_id: str, **changes: Any) -> Any:
        found, campaign_id = self._assigned(assignment_id)
        found.update(changes)
        self._count(campaign_id)
        return jsonify(found)

    def _estimate(self, body: dict[str, Any], measured_on: str) -> dict[str, Any]:
        minutes = body["units"] * MINUTES_FOR_A_UNIT
        hourly = body["reward_minor"] * 60 // minutes
        return {
            "minutes": minutes,
            "measured_on": measured_on,
            "n": 42,
            "hourly_minor": hourly,
            "floor_minor": FLOOR,
            "recommended_minor": RECOMMENDED,
            "is_below_floor": hourly < FLOOR,
            "top_up_minor": max(0, FLOOR * minutes // 60 - body["reward_minor"]),
            "cost_minor": body["reward_minor"] * body["places"] * 4 // 3,
            "most_bonus_minor": body["bonus_minor"] * body["places"] * body["units"],
            "currency": body["currency"],
        }

    def _owed(self, campaign_id: str) -> dict[str, Any]:
        found, counts = self.campaigns[campaign_id], self.campaigns[campaign_id]["counts"]
        rewards = min(found["owed_minor"], 150)
        return {
            "people": 2 if found["owed_minor"] else 0,
            "rewards_minor": rewards,
            "bonuses_minor": found["owed_minor"] - rewards,
            "total_minor": found["owed_minor"],
            "currency": found["currency"],
            "waiting": counts.get("submitted", 0),
            "unsettled": sum(each["state"] == "unknown" for each in self.payments[campaign_id]),
        }

    def install(self, app: Flask, me: Callable[[], Any]) -> None:
        """Add the routes; `me` returns the person who asks, or refuses."""
        self._plans(app, me)
        self._changes(app, me)
        self._people(app, me)
        self._fair_play(app, me)
        self._money(app, me)
        self._ledger(app, me)

    def _plans(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{BASE}/platforms")
        def crowd_platforms() -> Any:
            me()
            return jsonify(items=self.platforms)

        @app.post(f"{BASE}/rounds/<round_id>/estimates")
        def crowd_estimate(round_id: str) -> Any:
            me()
            self.loop.find_round(round_id)
            return jsonify(self._estimate(request.get_json(), "task"))

        @app.get(f"{BASE}/rounds/<round_id>/campaigns")
        def crowd_campaigns(round_id: str) -> Any:
            me()
            return jsonify(items=[each for each in self.campaigns.values() if each["round_id"] == round_id])

        @app.post(f"{BASE}/rounds/<round_id>/campaigns")
        def crowd_create(round_id: str) -> Any:
            me()
            key, body = request.headers["Idempotency-Key"], request.get_json()
            if not body["reward_minor"]:
                refuse(422, "reward-missing", "body.reward_minor", "It is zero.", "Give a reward.")
            if key not in self.keys:
                self.keys[key] = self._made(round_id, body)["campaign_id"]
            return jsonify(self.campaigns[self.keys[key]]), 201

    def _changes(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{BASE}/campaigns/<campaign_id>")
        def crowd_campaign(campaign_id: str) -> Any:
            me()
            return jsonify(self.campaigns[campaign_id])

        @app.put(f"{BASE}/campaigns/<campaign_id>")
        def crowd_change(campaign_id: str) -> Any:
            me()
            self.campaigns[campaign_id].update(request.get_json())
            return jsonify(self.campaigns[campaign_id])

        @app.delete(f"{BASE}/campaigns/<campaign_id>")
        def crowd_delete(campaign_id: str) -> Any:
            me()
            del self.campaigns[campaign_id]
            return "", 204

        @app.get(f"{BASE}/campaigns/<campaign_id>/estimate")
        def crowd_own_estimate(campaign_id: str) -> Any:
            me()
            found = self.campaigns[campaign_id]
            return jsonify(self._estimate(found, "task" if found["state"] == "draft" else "campaign"))

        @app.put(f"{BASE}/campaigns/<campaign_id>/state")
        def crowd_state(campaign_id: str) -> Any:
            me()
            found, state = self.campaigns[campaign_id], request.get_json()["state"]
            if found["state"] == "draft":
                self._launch(campaign_id, state)
            found["state"] = state
            return jsonify(found)

        @app.put(f"{BASE}/campaigns/<campaign_id>/places")
        def crowd_places(campaign_id: str) -> Any:
            me()
            found, places = self.campaigns[campaign_id], request.get_json()["places"]
            if places < found["places"]:
                refuse(409, "places-only-grow", "places", "Places only grow.", "Give a larger number.")
            found["places"] = places
            return jsonify(found)

        @app.post(f"{BASE}/campaigns/<campaign_id>/top-up")
        def crowd_top_up(campaign_id: str) -> Any:
            me()
            self.top_ups.append(request.get_json()["amount_minor"])
            return jsonify(self._owed(campaign_id))

    def _people(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{BASE}/campaigns/<campaign_id>/assignments")
        def crowd_assignments(campaign_id: str) -> Any:
            me()
            state, found = request.args.get("state"), self.assignments[campaign_id]
            return jsonify(items=[each for each in found if state in (None, each["state"])], next_cursor=None)

        @app.post(f"{BASE}/campaigns/<campaign_id>/approvals")
        def crowd_approve_all(campaign_id: str) -> Any:
            me()
            handed_in = [each for each in self.assignments[campaign_id] if each["state"] == "submitted"]
            for each in handed_in:
                self._decide(each["assignment_id"], state="approved", owed_minor=150)
            return jsonify(approved=len(handed_in))

        @app.put(f"{BASE}/assignments/<assignment_id>/approval")
        def crowd_approve(assignment_id: str) -> Any:
            me()
            return self._decide(assignment_id, state="approved", owed_minor=150)

        @app.put(f"{BASE}/assignments/<assignment_id>/rejection")
        def crowd_reject(assignment_id: str) -> Any:
            me()
            reason, category = request.get_json()["reason"], request.get_json()["category"]
            if len(reason) < 100:
                refuse(422, "reason-too-short", "reason", "It is short.", "Write 100 characters or more.")
            given = {"rejection": reason, "rejection_category": category}
            return self._decide(assignment_id, state="rejected", **given)

        @app.put(f"{BASE}/assignments/<assignment_id>/screen-out")
        def crowd_screen_out(assignment_id: str) -> Any:
            me()
            return self._decide(assignment_id, state="screened_out", owed_minor=20)

    def _fair_play(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{BASE}/campaigns/<campaign_id>/evidence")
        def crowd_evidence(campaign_id: str) -> Any:
            me()
            found = self.evidence.get(campaign_id, [])
            kinds = ("fast", "pasted", "alike", "alone", "device", "address")
            return jsonify(
                comparisons=[
                    {
                        "kind": kind,
                        "compared": 40 if found else 3,
                        "base_rate": 0.025 if found else None,
                        "typical": 61.0 if found and kind == "fast" else None,
                    }
                    for kind in kinds
                ],
                people=found,
            )

        @app.put(f"{BASE}/assignments/<assignment_id>/fair-play")
        def crowd_fair_play(assignment_id: str) -> Any:
            me()
            body = request.get_json()
            if not body["reason"]:
                refuse(422, "invalid-request", "reason", "It is empty.", "Write a reason.")
            listed = next(
                each
                for all_of in self.evidence.values()
                for each in all_of
                if each["assignment_id"] == assignment_id
            )
            before = listed["fair_play"]
            if before and before["appeal"]:
                before.update(decision=body["decision"], answer=body["reason"], answered_at=AT)
            else:
                listed["fair_play"] = decision(body["decision"], body["reason"])
            return jsonify(listed["fair_play"])

    def _money(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{BASE}/campaigns/<campaign_id>/owed")
        def crowd_owed(campaign_id: str) -> Any:
            me()
            return jsonify(self._owed(campaign_id))

        @app.post(f"{BASE}/campaigns/<campaign_id>/payments")
        def crowd_pay(campaign_id: str) -> Any:
            me()
            key, found = request.headers["Idempotency-Key"], self.campaigns[campaign_id]
            if key not in self.keys:
                if request.get_json()["total_minor"] != found["owed_minor"]:
                    refuse(409, "owed-changed", "total_minor", "It has changed.", "Check the new total.")
                self.keys[key] = campaign_id
                state = "paid" if found["platform"] == "prolific" else "prepared"
                self.payments[campaign_id].insert(
                    0, {**self._payment(found, "reward", state), "amount_minor": found["owed_minor"]}
                )
                found.update(paid_minor=found["paid_minor"] + found["owed_minor"], owed_minor=0)
            return jsonify(items=self.payments[campaign_id][:1]), 201

        @app.get(f"{BASE}/campaigns/<campaign_id>/payments")
        def crowd_payments(campaign_id: str) -> Any:
            me()
            return jsonify(items=self.payments[campaign_id], next_cursor=None)

        @app.get(f"{BASE}/campaigns/<campaign_id>/payments.csv")
        def crowd_csv(campaign_id: str) -> Any:
            me()
            rows = [
                f"{WORKER_ID},{each['amount_minor']},{each['currency']},{each['payment_id']}\n"
                for each in self.payments[campaign_id]
            ]
            return Response(
                "worker_id,amount_minor,currency,payment_id\n" + "".join(rows), mimetype="text/csv"
            )

        @app.put(f"{BASE}/payments/<payment_id>/paid")
        def crowd_paid(payment_id: str) -> Any:
            me()
            found = next(
                each
                for all_of in self.payments.values()
                for each in all_of
                if each["payment_id"] == payment_id
            )
            found.update(state="paid", settled_at=AT)
            return jsonify(found)

    def _ledger(self, app: Flask, me: Callable[[], Any]) -> None:
        @app.get(f"{BASE}/campaigns/<campaign_id>/ledger")
        def crowd_ledger(campaign_id: str) -> Any:
            me()
            found = self.campaigns[campaign_id]
            moved = [
                ("bonus", "owner", "owed", 30),
                ("owed", "reserved", "owed", 150),
                ("reserved", "owner", "reserved", 3600),
            ]
            items = [
                {
                    "posting_id": str(uuid4()),
                    "at": AT,
                    "kind": kind,
                    "from_account": from_account,
                    "to_account": to_account,
                    "amount_minor": amount,
                    "currency": found["currency"],
                    "assignment_id": None if kind == "reserved" else str(uuid4()),
                    "cause": f"{kind}:1",
                }
                for kind, from_account, to_account, amount in moved
            ]
            return jsonify(items=[] if found["state"] == "draft" else items, next_cursor=None)
