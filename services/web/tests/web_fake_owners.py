"""Owners' work on the fake platform: standing, the queue, validators, gold, releases, the audit log."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import web_fake_standing as figures
from flask import Flask, jsonify, request
from web_fake_answers import SERVED
from web_fake_arena import CIRCUMSTANCES
from web_fake_loop import Loop, answer
from web_fake_refusals import Refused, refuse

ANNOTATION, VALIDATION = "/api/annotation/v1", "/api/validation/v1"
LEADERBOARD, SCORING = "/api/leaderboard/v1", "/api/scoring/v1"
TEXTS = (
    "The vegetarian special was such a great choice that my dog got most of it.",
    "I could not be happier that this is over.",
    "Well, it is food.",
)

WORK = ("disputed", "flagged", "appealed", "question", "low_posterior")


class OwnersDesk:
    """All that waits for owners; a test changes what it needs."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.cases = {case["example_id"]: case for case in map(self._case, TEXTS)}
        kinds = (["disputed"], ["flagged", "appealed"], ["low_posterior"])
        self.work = [
            self._work_item(case, kind) for case, kind in zip(self.cases.values(), kinds, strict=True)
        ]
        self.waiting = self._case("Nobody has judged this one yet.")
        loop.open_votes.add(self.waiting["example_id"])
        became = ("disputed", "flagged", "correct", "waiting")
        self.examples = [
            self._listed(case, each)
            for case, each in zip((*self.cases.values(), self.waiting), became, strict=True)
        ]
        self.votes = loop.received
        self.votes.update({example_id: figures.votes_on_a_case() for example_id in self.cases})
        self.decisions: list[dict[str, Any]] = []
        self.overruled: list[dict[str, Any]] = []
        self.requeued: list[dict[str, Any]] = []
        self.standing = figures.standing(loop.round_id)
        self.next_round = figures.next_round()
        self.validators = figures.validators()
        self.pairs = figures.pairs()
        self.one_author = figures.one_author()
        self.gold = figures.gold()
        self.entries = figures.audit_entries(loop.round_id)
        self.dead_letters: dict[str, list[dict[str, Any]]] = {}
        self.moves: list[dict[str, Any]] = []
        self.blockers: list[dict[str, Any]] = []
        self.release_preview = figures.release_preview()
        self.previewed: list[dict[str, str]] = []
        self.released: list[dict[str, Any]] = []
        self.release = {
            "state": "building",
            "step": "drawing splits",
            "progress": 0.25,
            "requested_at": "2026-01-08T14:00:00Z",
            "dataset_id": None,
            "error": None,
        }
        self.standings: list[dict[str, Any]] = [
            figures.headline(found) for found in loop.rounds.values() if found["task_slug"] == "sentiment"
        ]

    def find_case(self, example_id: str) -> dict[str, Any] | None:
        """Return an example that somebody else wrote, if it is one of these."""
        return self.waiting if example_id == self.waiting["example_id"] else self.cases.get(example_id)

    def install(self, app: Flask, me: Callable[[], str]) -> None:
        """Add the routes; `me` returns the id of the person who asks, or refuses."""
        for part in (
            self._rounds,
            self._leaderboard,
            self._work,
            self._examples,
            self._quality,
            self._releases,
            self._health,
        ):
            part(app, me)

    def _case(self, text: str) -> dict[str, Any]:
        return {
            **CIRCUMSTANCES,
            "example_id": str(uuid4()),
            "round_id": self.loop.round_id,
            "task_slug": "sentiment",
            "segment_id": str(uuid4()),
            "context_id": str(uuid4()),
            "perturbation_of": None,
            "duplicate_of": None,
            "duplicate_overruled_at": None,
            "metadata": {},
            "attempt": 1,
            "hint_shown": False,
            "condition": "prompt",
            "milliseconds": 118.2,
            "retracted_at": None,
            "context": {"prompt": "From what I heard, the vegetarian special was also a great choice."},
            "input": {"text": text},
            "claimed": "negative",
            "verdict": "fooled",
            "author_id": str(uuid4()),
            "answers": [answer("sentiment-minilm", "positive", 0.9, "negative")],
            "explanations": {"label": "The dog ate it because I would not.", "model": "It reads “great”."},
            "created_at": "2026-01-06T09:12:00Z",
        }

    def _work_item(self, case: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
        resolution = "disputed" if "disputed" in kinds else "flagged" if "flagged" in kinds else "correct"
        return {
            **{name: case[name] for name in ("example_id", "context", "input", "claimed")},
            "resolution": resolution,
            "kinds": kinds,
            "votes": [{"option": "negative", "count": 2}, {"option": "flag", "count": 1}],
            "posterior": {"label": "negative", "p": 0.62},
            "appealed_at": None,
            "oldest_at": "2026-01-07T10:00:00Z",
        }

    def _state(self, example_id: str, resolution: str) -> dict[str, Any]:
        whole = {**self.loop.resolution(example_id), "resolution": resolution}
        of_votes = ("items", "next_cursor", "appeal", "adjudication")
        return {name: whole[name] for name in whole if name not in of_votes}

    def _rounds(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get(f"{ANNOTATION}/rounds/<round_id>/state/preview")
        def preview_state(round_id: str) -> Any:
            me()
            found, to = self.loop.find_round(round_id), request.args["to"]
            said = [{"text": "People who are writing right now.", "count": 3}]
            answer = {"from": found["state"], "to": to, "allowed": not self.blockers}
            return jsonify(
                {**answer, "consequences": [] if self.blockers else said, "blockers": self.blockers}
            )

        @app.put(f"{ANNOTATION}/rounds/<round_id>/targets")
        def change_targets(round_id: str) -> Any:
            me()
            wanted = request.get_json()
            if not wanted["targets"] and not wanted.get("confirm_no_targets"):
                detail = "From the next try on nobody could fool a model in this round."
                refuse(409, "round-would-be-emptied", "targets", detail, "Confirm it.")
            self.moves.append(wanted)
            self.loop.find_round(round_id)["targets"] = wanted["targets"]
            return jsonify(self.loop.find_round(round_id))

        @app.get(f"{ANNOTATION}/rounds/<round_id>/lost-targets")
        def lost_targets(round_id: str) -> Any:
            self.loop.find_round(round_id)
            return jsonify(items=self.loop.lost_targets)

        @app.get(f"{ANNOTATION}/rounds/<round_id>/collection")
        def collection(round_id: str) -> Any:
            return jsonify(figures.collection(round_id))

    def _leaderboard(self, app: Flask, me: Callable[[], str]) -> None:
        answers: dict[str, Callable[[str], dict[str, Any]]] = {
            "standing": lambda _: self.standing,
            "next-round": lambda _: self.next_round,
            "effort": lambda _: figures.effort(),
            "breakdown": lambda round_id: figures.breakdown(round_id, request.args["by"]),
        }

        @app.get(f"{LEADERBOARD}/rounds/<round_id>/<any('standing','next-round','effort','breakdown'):what>")
        def of_round(round_id: str, what: str) -> Any:
            if what in {"standing", "next-round"}:
                me()
            self.loop.find_round(round_id)
            return jsonify(answers[what](round_id))

        @app.get(f"{LEADERBOARD}/standings")
        def standings() -> Any:
            me()
            cursor, limit = request.args.get("cursor", ""), int(request.args["limit"])
            start = int(cursor) if cursor.isdecimal() else 0
            more = str(start + limit) if len(self.standings) > start + limit else None
            return jsonify(items=self.standings[start : start + limit], next_cursor=more)

    def _work(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get(f"{VALIDATION}/rounds/<round_id>/work")
        def work(round_id: str) -> Any:
            me()
            kind, claimed = request.args.get("kind"), request.args.get("claimed")
            items = [item for item in self.work if kind is None or kind in item["kinds"]]
            items = [item for item in items if claimed in (None, item["claimed"])]
            return jsonify(items=items, next_cursor=None)

        @app.get(f"{VALIDATION}/rounds/<round_id>/work/counts")
        def work_counts(round_id: str) -> Any:
            me()
            appeals = sum(each["appeal"] is not None for each in self.validators)
            return jsonify({**self._waiting(), "pause_appeals": appeals})

        @app.get(f"{VALIDATION}/work-counts")
        def work_counts_of_rounds() -> Any:
            me()
            round_ids = dict.fromkeys(request.args.getlist("round_id"))
            return jsonify(items=[{**self._waiting(), "round_id": round_id} for round_id in round_ids])

        @app.put(f"{VALIDATION}/examples/<example_id>/adjudication")
        def adjudicate(example_id: str) -> Any:
            body = {**request.get_json(), "example_id": example_id, "by": me()}
            self.decisions.append(body)
            self.work = [item for item in self.work if item["example_id"] != example_id]
            decided = {"resolution": "correct", "reason": body["reason"], "at": "2026-01-08T12:00:00Z"}
            self.votes[example_id] = {**self.votes[example_id], "adjudication": decided}
            return jsonify(self._state(example_id, "correct"))

        @app.post(f"{ANNOTATION}/examples/<example_id>/duplicate-overruling")
        def overrule(example_id: str) -> Any:
            me()
            self.overruled.append({**request.get_json(), "example_id": example_id})
            self.cases[example_id]["duplicate_overruled_at"] = "2026-01-08T12:00:00Z"
            return jsonify(self.cases[example_id])

        @app.delete(f"{VALIDATION}/examples/<example_id>/adjudication")
        def reverse(example_id: str) -> Any:
            me()
            self.votes[example_id] = {**self.votes[example_id], "adjudication": None}
            return jsonify(self._state(example_id, "disputed"))

        @app.post(f"{VALIDATION}/rounds/<round_id>/requeue")
        def requeue(round_id: str) -> Any:
            me()
            self.requeued.append(request.get_json())
            return jsonify(requeued=len(request.get_json()["example_ids"]))

    def _examples(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get(f"{VALIDATION}/rounds/<round_id>/examples")
        def round_examples(round_id: str) -> Any:
            me()
            asked = {name: value for name, value in request.args.items() if name not in ("limit", "cursor")}
            words, start = asked.pop("text", "").lower(), int(request.args.get("cursor") or 0)
            items = [
                item
                for item in self.examples
                if words in str(item["input"]).lower()
                and (not asked.get("tag") or asked["tag"] in item["tags"])
                and all(item.get(name, value) == value for name, value in asked.items())
            ]
            end = start + int(request.args["limit"])
            return jsonify(items=items[start:end], next_cursor=str(end) if len(items) > end else None)

        @app.put(f"{VALIDATION}/examples/<example_id>/abstention")
        def abstain(example_id: str) -> Any:
            me()
            self.loop.open_votes.discard(example_id)
            return "", 204

    def _listed(self, case: dict[str, Any], became: str) -> dict[str, Any]:
        shown = ("example_id", "author_id", "created_at", "context", "input", "verdict")
        is_hidden = case["example_id"] in self.loop.open_votes
        return {
            **{name: case[name] for name in shown},
            "tags": ["restaurant"],
            "is_hidden": is_hidden,
            "became": "waiting" if is_hidden else became,
            "claimed": None if is_hidden else case["claimed"],
            "votes": []
            if is_hidden
            else [{"option": "negative", "count": 2}, {"option": "flag", "count": 1}],
        }

    def _waiting(self) -> dict[str, Any]:
        kinds = [kind for item in self.work for kind in item["kinds"]]
        counts = {name: kinds.count(name) for name in WORK}
        return {**counts, "pending": 92, "oldest_pending_at": "2026-01-08T11:00:00Z", "leases_out": 4}

    def _quality(self, app: Flask, me: Callable[[], str]) -> None:
        answers: dict[str, Callable[[str], dict[str, Any]]] = {
            "agreement": figures.agreement,
            "human-estimate": lambda _: figures.human_estimate(),
            "votes-advice": lambda _: figures.votes_advice(),
        }

        @app.get(f"{VALIDATION}/rounds/<round_id>/<any('agreement','human-estimate','votes-advice'):what>")
        def evidence(round_id: str, what: str) -> Any:
            return jsonify(answers[what](round_id))

        @app.get(f"{VALIDATION}/rounds/<round_id>/validators/pairs")
        def pairs(round_id: str) -> Any:
            me()
            return jsonify(items=self.pairs, one_author=self.one_author, computed_at="2026-01-08T14:00:00Z")

        @app.get(f"{VALIDATION}/tasks/<slug>/validators")
        def validators(slug: str) -> Any:
            me()
            return jsonify(items=self.validators, next_cursor=None)

        @app.put(f"{VALIDATION}/tasks/<slug>/validators/<voter_id>")
        def set_validator(slug: str, voter_id: str) -> Any:
            me()
            found = next(each for each in self.validators if each["voter_id"] == voter_id)
            found.update(state=request.get_json()["state"], appeal=None)
            self.moves.append(request.get_json())
            return jsonify(found)

        @app.get(f"{VALIDATION}/tasks/<slug>/gold")
        def gold(slug: str) -> Any:
            me()
            return jsonify(items=self.gold, next_cursor=None)

        @app.post(f"{VALIDATION}/tasks/<slug>/gold")
        def add_gold(slug: str) -> Any:
            me()
            body = request.get_json()
            if "broken" in str(body["input"]):
                refuse(422, "gold-unusable", "input.text", "It is broken.", "Write another text.")
            stored = {name: value for name, value in body.items() if name != "answer"}
            item = {**figures.gold()[0], **stored, "gold_id": str(uuid4()), "answers": [body["answer"]]}
            self.gold.insert(0, item)
            return jsonify(item), 201

        @app.post(f"{VALIDATION}/rounds/<round_id>/gold/refresh")
        def refresh_gold(round_id: str) -> Any:
            me()
            return jsonify(added=3, retired=1, in_use=24)

        @app.delete(f"{VALIDATION}/gold/<gold_id>")
        def retire(gold_id: str) -> Any:
            me()
            found = next(each for each in self.gold if each["gold_id"] == gold_id)
            found.update(retirement="withdrawn", retired_at="2026-01-08T12:00:00Z")
            return "", 204

    def _releases(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get(f"{SCORING}/rounds/<round_id>/release/preview")
        def preview_release(round_id: str) -> Any:
            me()
            self.previewed.append(request.args.to_dict())
            accepted = request.args.get("accept_unresolved") == "true"
            blockers = [] if accepted else self.release_preview["blockers"]
            return jsonify({**self.release_preview, "blockers": blockers})

        @app.post(f"{SCORING}/rounds/<round_id>/releases")
        def start_release(round_id: str) -> Any:
            me()
            body = request.get_json()
            if not body.get("accept_unresolved"):
                remedy = "Wait for the votes, or accept them."
                refuse(409, "unresolved-examples", "accept_unresolved", "92 examples still wait.", remedy)
            self.released.append(body)
            self.release["release_id"] = str(uuid4())
            return jsonify({**self.release, "round_id": round_id}), 202

        @app.get(f"{SCORING}/releases/<release_id>")
        def release_state(release_id: str) -> Any:
            me()
            if release_id != self.release.get("release_id"):
                detail = {"title": "No such release", "detail": "There is no release with this id."}
                raise Refused(404, {"type": "/problems/release-not-found", **detail})
            return jsonify({**self.release, "round_id": self.loop.round_id})

    def _health(self, app: Flask, me: Callable[[], str]) -> None:
        @app.get("/api/<service>/v1/dead-letters")
        def dead_letters(service: str) -> Any:
            me()
            return jsonify(items=self.dead_letters.get(service, []), held=[])

        served = {"sentiment-minilm": {**SERVED, "ready": True, "state": "ready", "reason": None}}
        served["n-gram-b"] = {**SERVED, "ready": False, "state": "failed", "reason": "Its worker died twice."}

        @app.get("/api/gateway/v1/model-statuses")
        def served_models() -> Any:
            me()
            return jsonify(models=[{"name": name, **served[name]} for name in sorted(served)])

        @app.get("/api/accounts/v1/audit")
        def audit() -> Any:
            me()
            asked = {name: request.args.get(name) for name in ("round_id", "object_id")}
            items = [
                entry
                for entry in self.entries
                if all(wanted in (None, entry[name]) for name, wanted in asked.items())
            ]
            return jsonify(items=items, next_cursor=None)
