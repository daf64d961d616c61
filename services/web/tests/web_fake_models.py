"""The registry of the fake platform: submitted models, and how their archives come."""

from collections.abc import Callable
from typing import Any

import web_fake_model_board
from flask import Flask, jsonify, request
from web_fake_evaluations import Evaluations
from web_fake_refusals import Refused, refuse
from web_fake_store import MOUNT, Store
from web_fake_submissions import (
    SERVED,
    STEPS,
    bury,
    card_of,
    decides,
    fitting,
    hostile,
    listed,
    new_id,
    offered,
    part_size,
    parts_of,
    record,
    status,
    unknown,
    whole,
)

BASE = "/api/registry/v1"
SUBMISSION_ID = "0198c0de-0000-7000-8000-00000000ab1e"
MODEL_NAME = "sentiment-mini-v1"
HOSTILE = "<script>alert(1)</script> & \"words\" 'of' {{ 7 * 7 }} " + "unbroken" * 8
SOURCE = "class Handler:\n    def handle(self, data):\n        return ['<b>positive</b>']\n"
Desk = Callable[[], Any]
Happening = Callable[[dict[str, Any]], object]
"""A change of a submission between two requests."""


class ModelDesk:
    """Submissions, the newest first, with what the store holds of each; a test changes what it needs."""

    def __init__(self, people: dict[str, Any]) -> None:
        self.people = people
        self.found: list[dict[str, Any]] = []
        self.texts: dict[str, str] = {"handler.py": SOURCE, "config.json": "{}\n", HOSTILE: HOSTILE}
        self.log = ["received 82,602,706 bytes in 10 parts", "looks at 4 entries"]
        self.store = Store()
        self.per_day, self.largest, self.part_bytes = 5, 20_000_000, 8_388_608
        self.fields: tuple[str, ...] = ("text",)
        self.start = "on_demand"
        self.in_the_loop: set[str] = set()
        self.evaluations = Evaluations()
        self.before_signing: list[Happening] = []
        self.before_completion: list[Happening] = []
        self.starters: list[dict[str, Any]] = []
        self.signatures: list[dict[str, str] | None] = []

    def seed(self) -> None:
        """Begin with a published model of ada's."""
        self.found = [record(SUBMISSION_ID, str(self.people["ada"].person_id), "published")]

    def add(self, state: str, user_name: str = "ada", **more: Any) -> str:
        """Add a submission in a state at the top, and return its id."""
        submission_id = more.pop("submission_id", None) or new_id()
        submitted_by = str(self.people[user_name].person_id)
        self.found.insert(0, record(submission_id, submitted_by, state, **more))
        return str(submission_id)

    def add_hostile(self, state: str, user_name: str = "ada") -> str:
        """Add one whose every text is an attempt to become markup."""
        return self.add(state, user_name, model="hostile", **hostile(HOSTILE))

    def named(self, submission_id: str) -> dict[str, Any]:
        """Return a submission."""
        return next(each for each in self.found if each["submission_id"] == submission_id)

    def install(self, app: Flask, me: Desk, who: Desk, url: Desk) -> None:
        """Add the routes; `me` returns the person who asks, or refuses, `who` that person or None."""
        self._reading(app, me)
        self._acts(app, me)
        self._published(app, who)
        self._served(app, me)
        self._starter(app, me)
        self._uploads(app, me, url)
        web_fake_model_board.install(app)
        self.evaluations.install(app)

    def _visible(self, submission_id: str, person: Any) -> dict[str, Any]:
        for each in self.found:
            if each["submission_id"] == submission_id and (
                each["submitted_by"] == str(person.person_id) or decides(person, each["task"])
            ):
                return each
        raise unknown("submission")

    def _own(self, submission_id: str, person: Any) -> dict[str, Any]:
        found = self._visible(submission_id, person)
        if found["submitted_by"] != str(person.person_id):
            raise unknown("submission")
        return found

    def _quota(self, person: Any, task: str) -> dict[str, Any]:
        mine = [each for each in self.found if each["submitted_by"] == str(person.person_id)]
        used = sum(each["counted"] and each["task"] == task for each in mine)
        free_at = "2026-01-08T09:30:00Z" if used >= self.per_day else None
        return {"task": task, "used": used, "of": self.per_day, "next_free_at": free_at}

    def _reading(self, app: Flask, me: Desk) -> None:
        @app.get(f"{BASE}/submissions")
        def registry_submissions() -> Any:
            person, task, state = me(), request.args.get("task"), request.args.get("state")
            mine = request.args.get("mine") != "false"
            if not mine and not decides(person, task or ""):
                refuse(403, "not-allowed", "task", "Only owners may.", "Ask one.", "Not allowed")
            chosen = [
                each
                for each in self.found
                if (each["submitted_by"] == str(person.person_id) or not mine)
                and task in (None, each["task"])
                and state in (None, each["state"])
            ]
            quota = None if task is None else self._quota(person, task)
            limit = int(request.args.get("limit", 50))
            items = [listed(each, person) for each in chosen[:limit]]
            more = items[-1]["submission_id"] if len(chosen) > limit else None
            return jsonify(items=items, next_cursor=more, quota=quota)

        @app.get(f"{BASE}/submissions/<submission_id>")
        def registry_submission(submission_id: str) -> Any:
            person = me()
            response = jsonify(whole(self._visible(submission_id, person), person))
            response.add_etag()
            return response

        @app.get(f"{BASE}/submissions/<submission_id>/log")
        def registry_log(submission_id: str) -> Any:
            after = int(request.args.get("after", 0))
            step = self._visible(submission_id, me())["step"]
            lines = [
                {"id": number, "step": step, "at": "2026-01-07T09:30:01Z", "line": line}
                for number, line in enumerate(self.log, start=1)
            ][after : after + 500]
            return jsonify(lines=lines, next_after=lines[-1]["id"] if lines else after)

        @app.get(f"{BASE}/submissions/<submission_id>/entries/text")
        def registry_entry(submission_id: str) -> Any:
            self._visible(submission_id, me())
            path = request.args["path"]
            return jsonify(path=path, text=self.texts.get(path))

    def _acts(self, app: Flask, me: Desk) -> None:
        def act(method: str, rest: str, do: Callable[[dict[str, Any], Any], None], *, own: bool) -> None:
            def answer(submission_id: str, **_given: str) -> Any:
                person = me()
                found = (self._own if own else self._visible)(submission_id, person)
                do(found, request.get_json(silent=True) or {})
                return jsonify(whole(found, person)), 202 if rest.endswith("/runs") else 200

            path = f"{BASE}/submissions/<submission_id>/{rest}"
            app.add_url_rule(path, f"registry_{rest}", answer, methods=[method])

        act("POST", "cancellation", _cancel, own=True)
        act("POST", "steps/<step>/runs", _run_again, own=False)
        act("POST", "decision", _decide, own=False)
        act("PUT", "card", _write_card, own=True)
        act("POST", "publication", _publish, own=True)
        act("POST", "withdrawal", lambda found, _body: found.update(state="withdrawn"), own=True)
        act("POST", "retirement", _retire, own=False)
        act("POST", "deletion", lambda found, body: _delete(found, body, me()), own=False)

    def _published(self, app: Flask, who: Desk) -> None:
        def of_team(found: dict[str, Any]) -> int:
            same = ("task", "submitted_by")
            return sum(all(each[name] == found[name] for name in same) for each in self.found)

        @app.get(f"{BASE}/published-models")
        def registry_models() -> Any:
            task, limit = request.args.get("task"), int(request.args.get("limit", 50))
            cursor = request.args.get("cursor", "0")
            if not cursor.isdecimal():
                refuse(422, "cursor-invalid", "cursor", "Not ours.", "Start anew.", "Unusable cursor")
            start = int(cursor[:9])
            public = [
                each for each in self.found if each["state"] == "published" and task in (None, each["task"])
            ]
            items = [offered(each, who(), of_team(each)) for each in public[start : start + limit]]
            more = str(start + limit) if len(public) > start + limit else None
            return jsonify(items=items, next_cursor=more)

        @app.get(f"{BASE}/published-models/<name>")
        def registry_model(name: str) -> Any:
            person = who()
            for each in self.found:
                mine = person is not None and each["submitted_by"] == str(person.person_id)
                is_public = each["state"] == "published" or each["was_published"]
                is_seen = is_public or mine or decides(person, each["task"])
                if each["serving_name"] == name and each["state"] in {*SERVED, "deleted"} and is_seen:
                    return jsonify(offered(each, person, of_team(each)))
            raise unknown("model")

    def fitting(self, task: str, person: Any) -> list[dict[str, Any]]:
        """Return the models of a task that a person may ask, as annotation tells of them."""
        return [
            {**fitting(each), "in_the_loop": each["serving_name"] in self.in_the_loop}
            for each in self.found
            if each["task"] == task and self._is_asked(each, person)
        ]

    def _is_asked(self, found: dict[str, Any], person: Any) -> bool:
        mine = found["submitted_by"] == str(person.person_id)
        is_seen = found["state"] == "published" or mine or decides(person, found["task"])
        return found["state"] in SERVED and is_seen

    def _served(self, app: Flask, me: Desk) -> None:
        @app.get("/api/gateway/v1/models/<name>")
        def gateway_model(name: str) -> Any:
            person = me()
            for each in self.found:
                if each["serving_name"] == name and self._is_asked(each, person):
                    return jsonify(status(each, self.fields, self.start))
            raise unknown("model")

    def _starter(self, app: Flask, me: Desk) -> None:
        @app.post(f"{BASE}/starter-models")
        def registry_starter() -> Any:
            person, body = me(), request.get_json()
            self.starters.append(body)
            if any(len(each["texts"]) > 1 for each in body["examples"]):
                refuse(
                    422,
                    "starter-unusable",
                    "examples",
                    "Example 1 must have this number of texts: 1.",
                    "Change it.",
                )
            given = {"task": body["task"], "model": body["model"], "file_name": f"{body['model']}.mar"}
            submission_id = self.add("checking", person.user_name, **given)
            return jsonify(whole(self.named(submission_id), person)), 201

    def _uploads(self, app: Flask, me: Desk, url: Desk) -> None:
        @app.post(f"{BASE}/submissions")
        def registry_begin() -> Any:
            person, body = me(), request.get_json()
            self.signatures.append(body.get("signature"))
            found = self._known(person, body)
            if found is not None:
                return jsonify(submission=whole(found, person), known=True, webhook_secret=None), 200
            self._ensure_may_begin(person, body)
            given = {name: body[name] for name in ("task", "model", "file_name", "size")}
            digest = body.get("digest")
            submission_id = self.add(
                "draft", person.user_name, **given, digest=digest, part_bytes=self.part_bytes
            )
            return jsonify(
                submission=whole(self.named(submission_id), person), known=False, webhook_secret=None
            ), 201

        @app.get(f"{BASE}/submissions/<submission_id>/upload")
        def registry_upload(submission_id: str) -> Any:
            found = self._own(submission_id, me())
            held = self.store.held.get(submission_id, {})
            told = [{"number": number, "size": len(held[number]), "etag": "e"} for number in sorted(held)]
            return jsonify(parts=parts_of(found), held=told)

        @app.post(f"{BASE}/submissions/<submission_id>/upload/parts")
        def registry_parts(submission_id: str) -> Any:
            found = self._own(submission_id, me())
            _happen(self.before_signing, found)
            _ensure_state(found, "send parts", "draft")
            parts = [
                {
                    "number": number,
                    "size": part_size(found, number),
                    "url": f"{url()}{MOUNT}/{submission_id}/{number}",
                }
                for number in request.get_json()["numbers"]
            ]
            return jsonify(parts=parts, expires_in_seconds=3600)

        @app.post(f"{BASE}/submissions/<submission_id>/upload/completion")
        def registry_completion(submission_id: str) -> Any:
            person = me()
            found = self._own(submission_id, person)
            _happen(self.before_completion, found)
            if found["state"] == "draft":
                self._ensure_whole(found)
                found.update(state="checking", step="checksum", received_at="2026-01-07T09:30:00Z")
                found["counted"] = True
            elif found["state"] == "cancelled":
                _ensure_state(found, "end the upload", "draft")
            return jsonify(whole(found, person))

    def _known(self, person: Any, body: dict[str, Any]) -> dict[str, Any] | None:
        mine = [each for each in self.found if each["submitted_by"] == str(person.person_id)]
        digest = body.get("digest")
        for each in mine:
            is_same = digest and each["digest"] == digest and each["state"] not in {"draft", "cancelled"}
            alike = all(each[name] == body[name] for name in ("model", "file_name", "size"))
            is_draft = each["state"] == "draft" and alike and each["digest"] in (None, digest)
            if is_same or is_draft:
                return each
        return None

    def _ensure_may_begin(self, person: Any, body: dict[str, Any]) -> None:
        if body["size"] == 0:
            remedy = "Make the archive again with dynabench models package."
            refuse(422, "archive-empty", "size", "The file holds no bytes.", remedy, "Empty archive")
        if body["size"] > self.largest:
            detail = f"The archive has {body['size']} bytes; {self.largest} are the most."
            remedy = "Leave out what the model does not need, or save its weights in half precision."
            refuse(422, "archive-too-large", "size", detail, remedy, "Archive too large")
        others = {each["model"] for each in self.found if each["submitted_by"] != str(person.person_id)}
        if body["model"] in others:
            detail = f"The name {body['model']} belongs to another person's model, or to your model of another task."
            refuse(409, "model-name-taken", "model", detail, "Choose another name.", "Name taken")

    def _ensure_whole(self, found: dict[str, Any]) -> None:
        held = self.store.held.get(found["submission_id"], {})
        numbers = range(1, parts_of(found) + 1)
        missing = [number for number in numbers if len(held.get(number, b"")) != part_size(found, number)]
        if missing:
            detail = f"{len(missing)} parts of the archive are missing or incomplete."
            body = {"title": "Parts are missing", "detail": detail, "missing": missing}
            raise Refused(409, {"type": "/problems/parts-missing", "remedy": "Send them again.", **body})


def _happen(happenings: list[Happening], found: dict[str, Any]) -> None:
    if happenings:
        happenings.pop(0)(found)


def _ensure_state(found: dict[str, Any], act: str, *states: str) -> None:
    if found["state"] not in states:
        detail = f"You can't {act} while the submission is {found['state']}."
        remedy = "Reload the submission: its state may have changed."
        refuse(409, "submission-state", "submission_id", detail, remedy, "Not possible now")


def _ensure_complete(card: dict[str, Any]) -> None:
    if card["missing"]:
        detail = f"A published model needs {', '.join(card['missing'])} on its card."
        remedy, field = "Fill them in and publish again.", f"card.{card['missing'][0]}"
        refuse(422, "card-incomplete", field, detail, remedy, "The model card is incomplete")


def _cancel(found: dict[str, Any], _body: dict[str, Any]) -> None:
    _ensure_state(found, "cancel", "draft", "checking", "waiting")
    found.update(state="cancelled", counted=False)


def _run_again(found: dict[str, Any], _body: dict[str, Any]) -> None:
    _ensure_state(found, "run a check again", "refused", "deployed", "checking")
    step = str((request.view_args or {})["step"])
    if STEPS.index(step) > STEPS.index(found["step"]):
        _ensure_state(found, f"run {step} before {found['step']} has passed")
    found.update(state="checking", step=step, ended_at=None)


def _decide(found: dict[str, Any], body: dict[str, Any]) -> None:
    _ensure_state(found, "decide", "waiting")
    found.update(state="checking" if body["approve"] else "refused", fault="owner")


def _write_card(found: dict[str, Any], body: dict[str, Any]) -> None:
    written = {**found, "card": {**found["card"], "parameters": None, "paper": None, **body}}
    if found["state"] == "published":
        _ensure_complete(card_of(written))
    found["card"] = written["card"]


def _publish(found: dict[str, Any], body: dict[str, Any]) -> None:
    _ensure_state(found, "publish", *SERVED)
    _ensure_complete(card_of(found))
    found.update(state="published", anonymous=body["anonymous"])


def _retire(found: dict[str, Any], body: dict[str, Any]) -> None:
    if not body["reason"].strip():
        detail = "The submitter is told why the model was retired."
        refuse(422, "reason-missing", "reason", detail, "Say why.", "A reason is needed")
    found.update(state="retired")


def _delete(found: dict[str, Any], body: dict[str, Any], person: Any) -> None:
    mine = found["submitted_by"] == str(person.person_id)
    if not mine and not body["reason"].strip():
        detail = "The submitter is told why the model was retired."
        refuse(422, "reason-missing", "reason", detail, "Say why.", "A reason is needed")
    if found["state"] != "deleted":
        bury(found, "submitter" if mine else "owner", body["reason"])
