"""Validation on the fake platform: the queue, votes with their changes, and the authors' view of them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from flask import Flask, jsonify, request
from web_fake_arena import FakeTask
from web_fake_refusals import refuse
from web_fake_training import TrainingDesk

BASE = "/api/validation/v1"
PROMPT = "From what I heard, the vegetarian special was also a great choice."
OPTIONS = ["negative", "neutral", "positive"]
WAITING = [
    "The vegetarian special was such a great choice that my dog got most of it.",
    "I could not be happier that this is over.",
]
UNDO_SECONDS = 60
ROUND_ID = "0198c0de-0000-7000-8000-0000000000aa"
NO_VOTES: dict[str, Any] = {
    "round_id": ROUND_ID,
    "agreed_option": None,
    "golds": [],
    "pending": False,
    "retracted": False,
    "resolved_at": None,
    "items": [],
    "next_cursor": None,
    "appeal": None,
    "adjudication": None,
}
CAST_VOTE: dict[str, Any] = {
    "voter_id": None,
    "kind": "label",
    "reason": "",
    "metadata": {},
    "counted": True,
    "set_aside": False,
    "seconds": 14.2,
    "cast_at": "2026-01-07T09:00:00Z",
    "agrees": None,
    "corrected": None,
    "explanation": None,
    "judged_at": None,
}
MODELS_SAID = [{"value": "positive", "confidence": 0.912}, {"value": "negative", "confidence": None}]
"""Answers of models in the reveal of an example that has the default claim."""
NO_GOLD = {"value": None, "low": None, "high": None, "n": 0, "reason": "no item with a known answer yet"}
OF_THE_LEASE = ("lease_id", "expires_at", "can_go_back", "entry", "notice", "hidden")


class FakeVoting:
    """Votes on examples; `recent` are one's own votes, the newest first."""

    added: dict[str, FakeTask]
    examples: dict[str, dict[str, Any]]
    training: TrainingDesk

    def __init__(self) -> None:
        self.queue = [{"lease_id": str(uuid4()), "text": text} for text in WAITING]
        self.votes: dict[str, dict[str, Any]] = {}
        self.ballots: list[dict[str, Any]] = []
        self.judgements: dict[str, dict[str, Any]] = {}
        self.recent: list[dict[str, Any]] = []
        self.received: dict[str, dict[str, Any]] = {}
        self.open_votes: set[str] = set()
        self.pause_appeals: list[str] = []
        self.pause_answer: str | None = None
        self.renewed: list[str] = []
        self.lost_leases: set[str] = set()
        self.waiting: list[dict[str, Any]] = []
        self.empty_state = "all_answered"
        self.retry_after_seconds = 30
        self.settles_on_undo = False
        self.standing: dict[str, Any] = {"agreement_low": 0.78, "agreement_high": 0.94}

    def lease(self, round_id: str = "") -> dict[str, Any]:
        added = self.added.get(round_id)
        if self.standing.get("state") == "paused":
            return self._no_lease("paused_you")
        if added is not None and added.queue:
            return added.lease()
        if not self.queue or added is not None:
            return self._no_lease(self.empty_state)
        return self._question(self.queue[0])

    def _no_lease(self, state: str) -> dict[str, Any]:
        reason = f"The service says: {state}."
        wait = self.retry_after_seconds
        return {"lease_id": None, "state": state, "reason": reason, "retry_after_seconds": wait}

    def _question(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {
            "lease_id": entry["lease_id"],
            "expires_at": "2026-01-06T09:20:00Z",
            "example": {
                "example_id": str(uuid4()),
                "context": {"prompt": PROMPT},
                "input": {"text": entry["text"]},
                "claim_to_judge": None,
            },
            "options": OPTIONS,
            "vote": "label",
            "answer_type": "multiclass",
            "span_of": None,
            "metadata_fields": [],
            "can_go_back": bool(self.recent),
        }

    def pause(self) -> dict[str, Any] | None:
        """Return what is known of one's pause, while there is one."""
        if self.standing.get("state") != "paused":
            return None
        said = {"at": "2026-01-06T09:20:00Z", "answer": self.pause_answer}
        appeal = {"reason": self.pause_appeals[0], **said} if self.pause_appeals else None
        return {"reason": self.pause_answer or "They vote too <i>fast</i>.", "appeal": appeal}

    def _holders(self) -> "list[FakeVoting | FakeTask]":
        return [self, *self.added.values()]

    def skip(self, lease_id: str) -> None:
        for holder in self._holders():
            holder.queue = [entry for entry in holder.queue if entry["lease_id"] != lease_id]

    def renew(self, lease_id: str) -> dict[str, Any]:
        if lease_id in self.lost_leases:
            detail = "Your time for this example is over, and other people took it."
            refuse(
                409, "lease-expired", "lease_id", detail, "Ask for the next example.", "The lease has expired"
            )
        self.renewed.append(lease_id)
        return {"lease_id": lease_id, "expires_at": "2026-01-06T09:25:00Z"}

    def vote(self, lease_id: str, key: str, body: dict[str, Any]) -> dict[str, Any]:
        if key in self.votes:
            return self.votes[key]
        self._ensure_reason(body)
        holder = next(
            (each for each in self._holders() if any(entry["lease_id"] == lease_id for entry in each.queue)),
            None,
        )
        if holder is None:
            detail = "Your time for this example ran out."
            refuse(
                409, "lease-expired", "lease_id", detail, "Ask for the next example.", "The lease has expired"
            )
        entry = next(each for each in holder.queue if each["lease_id"] == lease_id)
        question = holder.lease() if isinstance(holder, FakeTask) else self._question(entry)
        self.skip(lease_id)
        self.ballots.append(body)
        reveal = {
            "claimed": entry.get("claimed", "negative"),
            "explanation": entry.get("explanation", "The dog ate it because I would not."),
            "models": [] if "claimed" in entry else MODELS_SAID,
        }
        self.votes[key] = self._remember(body, {**question, "hidden": reveal, "entry": entry})
        return self.votes[key]

    def _ensure_reason(self, body: dict[str, Any]) -> None:
        if body["kind"] == "flag" and not body.get("reason"):
            detail, remedy = (
                "Nothing says why the example is unfit.",
                "Say why in 1 to 500 characters.",
            )
            refuse(422, "reason-missing", "reason", detail, remedy, "A flag needs a reason")

    def _remember(self, body: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
        now = datetime.now(UTC)
        told = {
            "vote_id": str(uuid4()),
            "counted": body["kind"] != "unsure",
            "resolution": None,
            "reveal": None,
            "notice": None,
            "undo_until": (now + timedelta(seconds=UNDO_SECONDS)).isoformat(),
        }
        said: dict[str, Any] = {
            "value": None,
            "reason": "",
            "metadata": {},
            "agrees": None,
            "corrected": None,
        }
        self.recent.insert(
            0,
            {
                **about,
                **said,
                "explanation": None,
                **body,
                **told,
                "cast_at": now.isoformat(),
                "can_change": True,
            },
        )
        return told

    def own_vote(self, vote_id: str) -> dict[str, Any]:
        found = next((each for each in self.recent if each["vote_id"] == vote_id), None)
        if found is None:
            refuse(404, "vote-not-found", "vote_id", "There is no vote with this id.", "", "No such vote")
        return found

    def reveal(self, vote_id: str) -> dict[str, Any]:
        found = self.own_vote(vote_id)
        found.update(reveal=found["hidden"], can_change=False, undo_until=None)
        told = ("vote_id", "counted", "resolution", "reveal", "notice", "undo_until")
        return {name: found[name] for name in told}

    def _ensure_unrevealed(self, found: dict[str, Any]) -> None:
        if found["reveal"] is not None:
            detail = "You have seen what the author says."
            refuse(409, "vote-revealed", "vote_id", detail, "Leave it as it is.", "The vote is final")

    def undo(self, vote_id: str) -> dict[str, Any]:
        found = self.own_vote(vote_id)
        self._ensure_unrevealed(found)
        if datetime.fromisoformat(found["undo_until"]) < datetime.now(UTC):
            detail = "A vote can be taken back within 60 seconds. Yours is older."
            refuse(
                409,
                "undo-too-late",
                "vote_id",
                detail,
                "Leave it as it is.",
                "Too late to take the vote back",
            )
        self.recent.remove(found)
        entry = found["entry"]
        holder = self if "text" in entry else next(iter(self.added.values()))
        holder.queue.insert(0, entry)
        if self.settles_on_undo:
            holder.queue.remove(entry)
            return self._no_lease("another_is_asked")
        return {name: found[name] for name in self._question(self.queue[0]) if name in found}

    def change(self, vote_id: str, body: dict[str, Any]) -> dict[str, Any]:
        found = self.own_vote(vote_id)
        self._ensure_unrevealed(found)
        self._ensure_reason(body)
        if not found["can_change"]:
            detail = "The example waits for no votes any more."
            refuse(409, "vote-settled", "vote_id", detail, "Leave the vote as it is.", "The vote is settled")
        self.recent.remove(found)
        self.ballots.append(body)
        return self._remember(body, found)

    def judge(self, vote_id: str, body: dict[str, Any]) -> dict[str, Any]:
        self.judgements[vote_id] = body
        remarks: dict[str, Any] = {"agrees": None, "corrected": None, "explanation": None, **body}
        for found in self.recent:
            if found["vote_id"] == vote_id:
                found.update(remarks)
                if found["vote"] == "label":
                    self.reveal(vote_id)
        return {"vote_id": vote_id, "judged_at": "2026-01-06T09:21:00Z", **remarks}

    def settle(self, vote_id: str, resolution: str = "correct") -> None:
        """Let the votes on the example come in, more than a minute ago."""
        undo_until = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
        found = self.own_vote(vote_id)
        is_final = found["reveal"] is not None
        told = {
            "resolution": resolution if is_final else None,
            "undo_until": None if is_final else undo_until,
        }
        found.update(can_change=False, **told)

    def resolution(self, example_id: str) -> dict[str, Any]:
        fooled = self.examples.get(example_id, {}).get("verdict") == "fooled"
        told = {"resolution": "correct" if fooled else None, "votes_counted": 2 if fooled else 0}
        return {**NO_VOTES, "example_id": example_id, **told, **self.received.get(example_id, {})}

    def receive(self, example_id: str, resolution: str | None, *votes: dict[str, Any], **more: Any) -> None:
        """Let people have said this of an example."""
        items = [{**CAST_VOTE, "vote_id": str(uuid4()), **each} for each in votes]
        told = {"resolution": resolution, "votes_counted": len(items), "items": items}
        self.received[example_id] = {**told, "appeal": None, "adjudication": None, **more}

    def appeal(self, example_id: str, reason: str) -> dict[str, Any]:
        received = self.received[example_id]
        if received["appeal"] is not None:
            detail = "You can appeal once about an example, and you have."
            refuse(
                409, "already-appealed", "example_id", detail, "Read the owner's answer.", "You have appealed"
            )
        appeal = {"reason": reason, "at": "2026-01-07T10:00:00Z", "answer": None}
        received["appeal"] = appeal
        return dict(appeal)


def install(app: Flask, voting: FakeVoting, me: Callable[[], str]) -> None:
    """Add the routes; `me` returns the id of the person who asks, or refuses."""
    _leases(app, voting, me)
    _votes(app, voting, me)
    _examples(app, voting, me)


def _leases(app: Flask, voting: FakeVoting, me: Callable[[], str]) -> None:

    @app.post(f"{BASE}/rounds/<round_id>/leases")
    def lease(round_id: str) -> Any:
        voting.training.ensure_done("validate", me())
        found = voting.lease(round_id)
        return jsonify(found), 200 if found["lease_id"] is None else 201

    @app.put(f"{BASE}/leases/<lease_id>")
    def renew(lease_id: str) -> Any:
        me()
        return jsonify(voting.renew(lease_id))

    @app.delete(f"{BASE}/leases/<lease_id>")
    def skip(lease_id: str) -> Any:
        voting.skip(lease_id)
        return "", 204

    @app.post(f"{BASE}/leases/<lease_id>/votes")
    def vote(lease_id: str) -> Any:
        voting.training.ensure_done("validate", me())
        return jsonify(voting.vote(lease_id, request.headers["Idempotency-Key"], request.get_json())), 201


def _votes(app: Flask, voting: FakeVoting, me: Callable[[], str]) -> None:

    @app.delete(f"{BASE}/votes/<vote_id>")
    def undo(vote_id: str) -> Any:
        me()
        return jsonify(voting.undo(vote_id))

    @app.put(f"{BASE}/votes/<vote_id>")
    def change(vote_id: str) -> Any:
        me()
        return jsonify(voting.change(vote_id, request.get_json()))

    @app.post(f"{BASE}/votes/<vote_id>/reveal")
    def reveal(vote_id: str) -> Any:
        me()
        return jsonify(voting.reveal(vote_id))

    @app.put(f"{BASE}/votes/<vote_id>/judgement")
    def judge(vote_id: str) -> Any:
        return jsonify(voting.judge(vote_id, request.get_json()))

    @app.get(f"{BASE}/rounds/<round_id>/me")
    def my_votes(round_id: str) -> Any:
        own = {"votes_today": 12, "votes": 31, "agreement": 0.87, "agreement_votes": 29}
        known = {"gold": NO_GOLD, "state": "active", "pause": voting.pause()}
        return jsonify({**own, **known, **voting.standing})

    @app.get(f"{BASE}/people/me/waiting")
    def waiting() -> Any:
        me()
        return jsonify(items=voting.waiting)

    @app.get(f"{BASE}/rounds/<round_id>/me/votes")
    def recent(round_id: str) -> Any:
        me()
        listed = voting.recent[: int(request.args.get("limit", "10"))]
        items = [{name: each[name] for name in each if name not in OF_THE_LEASE} for each in listed]
        return jsonify(items=items)

    @app.post(f"{BASE}/rounds/<round_id>/me/pause-appeal")
    def appeal_pause(round_id: str) -> Any:
        me()
        if voting.pause_appeals:
            detail = "You can appeal once against a pause, and you have."
            refuse(409, "pause-appealed-before", "reason", detail, "Wait for the owner.", "You have appealed")
        voting.pause_appeals.append(request.get_json()["reason"])
        appeal = {"reason": voting.pause_appeals[0], "at": "2026-01-06T09:20:00Z"}
        return jsonify(state="paused", appeal=appeal), 201


def _examples(app: Flask, voting: FakeVoting, me: Callable[[], str]) -> None:

    @app.get(f"{BASE}/examples/<example_id>")
    def resolution(example_id: str) -> Any:
        whole = voting.resolution(example_id)
        of_votes = ("items", "next_cursor", "appeal", "adjudication")
        return jsonify({name: whole[name] for name in whole if name not in of_votes})

    @app.get(f"{BASE}/examples/<example_id>/votes")
    def votes(example_id: str) -> Any:
        me()
        if example_id in voting.open_votes:
            refuse(409, "vote-open", "example_id", "You may still be asked about this example.", "Vote.")
        return jsonify(voting.resolution(example_id))

    @app.post(f"{BASE}/examples/<example_id>/appeal")
    def appeal(example_id: str) -> Any:
        me()
        return jsonify(voting.appeal(example_id, request.get_json()["reason"])), 201
