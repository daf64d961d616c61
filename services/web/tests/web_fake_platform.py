"""A platform in one process that speaks the public interface over real HTTP, for the tests of the pages.

It keeps its state in memory. `fail` sets the answer to the next matching request. Requests and answers are checked
against the services' OpenAPI documents: `breaches` must stay empty.
"""

import re
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import web_fake_votes
from dynabench_common.http.contracts import watch
from dynabench_common.testing import Issuer, service_token
from flask import Flask, Response, g, jsonify, request
from joserfc import jwt
from joserfc.jwk import OKPKey
from web_fake_answers import REQUEST_ID, bad_input, problem, with_headers, without
from web_fake_campaigns import CampaignDesk
from web_fake_datasets import Archive
from web_fake_desk import install
from web_fake_examples import Showcase
from web_fake_figures import headline, history, my_round, own_figures, round_figures
from web_fake_loop import Loop
from web_fake_members import MembersDesk
from web_fake_models import ModelDesk
from web_fake_orders import OrdersDesk
from web_fake_owners import OwnersDesk
from web_fake_people import PeopleDesk
from web_fake_refusals import Refused
from web_fake_tasks import Workshop
from web_fake_threads import Threads
from web_fake_work import WorkDesk
from web_marks import listen
from werkzeug.serving import make_server

from tests.published import contracts

PASSWORD = "correct horse battery"
CALLED = ("ACCOUNTS", "ANNOTATION", "CROWD", "VALIDATION", "LEADERBOARD", "SCORING", "GATEWAY", "REGISTRY")


@dataclass
class Person:
    """A person as the accounts service keeps them."""

    user_name: str
    roles: list[str]
    person_id: UUID = field(default_factory=uuid4)
    password: str = PASSWORD
    cohort: str = "volunteer"

    def document(self) -> dict[str, Any]:
        return {
            "person_id": str(self.person_id),
            "user_name": self.user_name,
            "roles": self.roles,
            "cohort": self.cohort,
            "registered_at": "2026-01-05T12:00:00Z",
        }


@dataclass
class Failure:
    """An answer to give instead of the real one."""

    method: str
    path: str
    status: int
    body: dict[str, Any]
    headers: dict[str, str]
    times: int


class FakePlatform:
    """The services, at `url` once started."""

    def __init__(self) -> None:
        self.issuer = Issuer()
        self.people: dict[str, Person] = {}
        self.sessions: dict[str, Person] = {}
        self.tokens: dict[str, dict[str, Any]] = {}
        self.failures: list[Failure] = []
        self.calls: list[tuple[str, str, Any]] = []
        self.access_seconds = 900
        self.breaches: list[str] = []
        self.refuses_bad_input = False
        self.loop = Loop()
        self.workshop = Workshop(self.loop)
        self.owners = OwnersDesk(self.loop)
        self.campaigns = CampaignDesk(self.loop)
        self.work = WorkDesk(self.loop, self._admit)
        self.archive = Archive(self.loop)
        self.threads = Threads(self.people)
        self.orders = OrdersDesk(self.people)
        self.members = MembersDesk(self.people, "sentiment")
        self.showcase = Showcase(self.loop)
        self.desk = PeopleDesk(self.people, self.tokens)
        self.models = ModelDesk(self.people)
        self.figures = round_figures(self.loop.round_id)
        self.more_headlines: list[dict[str, Any]] = []
        self.history = history(self.loop.round_id)
        self.my_rounds = [my_round(self.loop.round_id)]
        self.loop.waiting = [{"round_id": self.loop.round_id, "waiting": 4}]
        self.add_person("ada")
        self.add_person("olga", "owner:sentiment", "admin")
        self.models.seed()
        self.data = {"ada", "olga", "you"}
        self.forgotten: dict[str, list[str]] = {}
        self.app = self._app()
        listen(self.app, self.data)
        self._server = make_server("127.0.0.1", 0, self.models.store.beside(self.app), threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join(timeout=5)
        self._server.server_close()

    def add_person(self, user_name: str, *roles: str) -> Person:
        self.people[user_name] = Person(user_name, ["annotator", *roles])
        return self.people[user_name]

    def fail(
        self, method: str, path: str, status: int, slug: str = "failed", times: int = 1, **more: Any
    ) -> None:
        """Answer the next `times` requests whose path matches `path` with a problem."""
        waits = more.pop("retry_after", 2 if status in (429, 503) else None)
        headers = {} if waits is None else {"Retry-After": str(waits)}
        body = {
            "type": f"/problems/{slug}",
            "title": "Refused",
            "detail": "OverviewData to fail.",
            "status": status,
            "request_id": REQUEST_ID,
            **more,
        }
        self.failures.append(Failure(method, path, status, body, headers, times))

    def end_sessions(self) -> None:
        """Forget all refresh tokens, as after their expiry."""
        self.sessions.clear()

    def environment(self) -> dict[str, str]:
        """Return the settings that lead the pages here."""
        return {
            "SERVICE_TOKEN": service_token("web"),
            "JWKS_URL": f"{self.url}/api/accounts/v1/jwks",
            **{f"{name}_URL": self.url for name in (*CALLED, "S3_PUBLIC_ENDPOINT")},
        }

    def _app(self) -> Flask:
        app = Flask("fake_platform")
        watch(app, contracts(), self.breaches)
        app.before_request(self._begin)
        app.after_request(with_headers)
        app.register_error_handler(Refused, lambda refused: problem(**vars(refused)))
        nothing = {"type": "/problems/not-found", "title": "Not Found", "detail": "Nothing is served here."}
        for unknown in (404, KeyError, StopIteration):
            app.register_error_handler(unknown, lambda _: problem(404, nothing))
        for part in (
            self._accounts,
            self._tokens,
            self._rounds,
            self._examples,
            self._desk,
            self._validation,
            self._leaderboard,
            self.workshop.install,
            self._owners,
        ):
            part(app)
        return app

    def _begin(self) -> Response | None:
        body = request.get_json(silent=True)
        self.calls.append((request.method, request.path, body))
        for failure in self.failures:
            if failure.method == request.method and re.search(failure.path, request.path):
                failure.times -= 1
                if failure.times <= 0:
                    self.failures.remove(failure)
                return problem(failure.status, failure.body, failure.headers)
        if self.refuses_bad_input and bad_input():
            return problem(
                422, {"type": "/problems/input-invalid", "title": "Unusable input", "detail": "It is bad."}
            )
        g.person = self._person_of(request.headers.get("Authorization", ""))
        return None

    def _person_of(self, header: str) -> Person | None:
        token = header.removeprefix("Bearer ")
        if token in ("", service_token("web")):
            return None
        key = OKPKey.import_key(self.issuer.jwks()["keys"][0])
        claims = jwt.decode(token, key, algorithms=["EdDSA"]).claims
        if claims["exp"] <= datetime.now(UTC).timestamp():
            raise Refused(
                401, {"type": "/problems/token-expired", "title": "Not signed in", "detail": "Expired."}
            )
        return next(person for person in self.people.values() if str(person.person_id) == claims["sub"])

    def _me(self) -> Person:
        if g.person is None:
            raise Refused(
                401, {"type": "/problems/token-missing", "title": "Not signed in", "detail": "Sign in."}
            )
        person: Person = g.person
        return person

    def _accounts(self, app: Flask) -> None:
        base = "/api/accounts/v1"

        @app.get(f"{base}/jwks")
        def jwks() -> Any:
            return jsonify(self.issuer.jwks())

        @app.post(f"{base}/people")
        def sign_up() -> Any:
            body = request.get_json()
            if body["user_name"] in self.people:
                detail = {"title": "Already taken", "detail": "Another person has this user name."}
                return problem(409, {"type": "/problems/user-name-taken", "field": "user_name", **detail})
            person = self.add_person(body["user_name"])
            person.password = body["password"]
            return jsonify(person.document()), 201

        @app.post(f"{base}/sessions")
        def sign_in() -> Any:
            body = request.get_json()
            person = self.people.get(body["user_name"])
            if person is None or body["password"] != person.password:
                detail = "Wrong user name or password."
                return problem(
                    401, {"type": "/problems/credentials-wrong", "title": "Not signed in", "detail": detail}
                )
            self.desk.access.ask_for_code(person)
            return self._session(person)

        @app.post(f"{base}/sessions/refresh")
        def refresh() -> Any:
            person = self.sessions.get(request.cookies.get("dynabench_refresh", ""))
            if person is None:
                return problem(
                    401, {"type": "/problems/session-ended", "title": "Not signed in", "detail": "Ended."}
                )
            return self._session(person)

        @app.delete(f"{base}/sessions")
        def sign_out() -> Any:
            self.sessions.pop(request.cookies.get("dynabench_refresh", ""), None)
            return "", 204

    def _tokens(self, app: Flask) -> None:
        base = "/api/accounts/v1"

        @app.get(f"{base}/me")
        def me() -> Any:
            return jsonify(self._me().document())

        @app.get(f"{base}/tokens")
        def tokens() -> Any:
            self._me()
            return jsonify(items=list(self.tokens.values()), next_cursor=None)

        @app.post(f"{base}/tokens")
        def create_token() -> Any:
            self._me()
            made = {
                "token_id": str(uuid4()),
                "name": request.get_json()["name"],
                "created_at": "2026-01-06T09:30:00Z",
                "last_used_at": None,
                "revoked_at": None,
            }
            self.tokens[made["token_id"]] = made
            return jsonify({**made, "token": "dbt_shown_only_once"}), 201

        @app.delete(f"{base}/tokens/<token_id>")
        def revoke(token_id: str) -> Any:
            self.tokens[token_id]["revoked_at"] = "2026-01-07T09:30:00Z"
            return "", 204

    def _session(self, person: Person) -> Any:
        refresh_token = uuid4().hex
        self.sessions[refresh_token] = person
        claims = self.desk.access.claims(person)
        roles = claims.pop("roles", person.roles)
        token = self.issuer.token(person.person_id, roles, lifetime_seconds=self.access_seconds, **claims)
        response = jsonify(access_token=token, expires_in=self.access_seconds, person=person.document())
        response.set_cookie("dynabench_refresh", refresh_token, httponly=True, samesite="Lax", path="/")
        return response

    def _admit(self) -> tuple[str, dict[str, Any]]:
        """Make a person of a campaign, or find the only one, and begin their session."""
        person = self.people.get("crowd-1") or self.add_person("crowd-1")
        person.cohort = "crowd"
        token = self.issuer.token(person.person_id, person.roles, person.cohort)
        refresh_token = uuid4().hex
        self.sessions[refresh_token] = person
        session = {"access_token": token, "refresh_token": refresh_token, "expires_in": self.access_seconds}
        return str(person.person_id), session

    def _rounds(self, app: Flask) -> None:
        base, loop = "/api/annotation/v1", self.loop

        @app.get(f"{base}/tasks")
        def tasks() -> Any:
            return jsonify(items=[without(each, "configuration") for each in loop.tasks()], next_cursor=None)

        @app.get(f"{base}/tasks/<slug>")
        def task(slug: str) -> Any:
            return jsonify(loop.task(slug))

        @app.get(f"{base}/rounds/<round_id>")
        def round_(round_id: str) -> Any:
            return jsonify(loop.find_round(round_id))

        @app.put(f"{base}/rounds/<round_id>/state")
        def state(round_id: str) -> Any:
            self._me()
            loop.find_round(round_id)["state"] = request.get_json()["state"]
            return jsonify(loop.find_round(round_id))

        @app.post(f"{base}/rounds/<round_id>/assignments")
        def assign(round_id: str) -> Any:
            avoid = request.get_json().get("not_context_id")
            return jsonify(loop.assign(round_id, str(self._me().person_id), avoid))

        @app.post(f"{base}/contexts/<context_id>/flags")
        def flag(context_id: str) -> Any:
            self._me()
            return jsonify(context_id=context_id, is_withdrawn=False), 201

        @app.post(f"{base}/rounds/<round_id>/examples")
        def create(round_id: str) -> Any:
            key = request.headers["Idempotency-Key"]
            document, is_new = loop.create(round_id, str(self._me().person_id), key, request.get_json())
            return jsonify(document), 201 if is_new else 200

        @app.get(f"{base}/rounds/<round_id>/examples")
        def examples(round_id: str) -> Any:
            return jsonify(items=loop.examples_of(round_id, str(self._me().person_id)), next_cursor=None)

    def _examples(self, app: Flask) -> None:
        base, loop = "/api/annotation/v1", self.loop

        @app.get(f"{base}/rounds/<round_id>/me")
        def my_tries(round_id: str) -> Any:
            mine = loop.examples_of(round_id, str(self._me().person_id))
            fooled = sum(e["verdict"] == "fooled" for e in mine)
            retracted = sum(e["retracted_at"] is not None for e in mine)
            return jsonify(tries=len(mine), fooled=fooled, not_fooled=len(mine) - fooled, retracted=retracted)

        @app.get(f"{base}/examples/<example_id>")
        def example(example_id: str) -> Any:
            case = self.owners.find_case(example_id)
            return jsonify(case or loop.find_example(example_id, str(self._me().person_id)))

        @app.post(f"{base}/examples/<example_id>/retraction")
        def retract(example_id: str) -> Any:
            found = loop.find_example(example_id, str(self._me().person_id))
            found["retracted_at"] = "2026-01-06T10:00:00Z"
            return jsonify(found)

        @app.put(f"{base}/examples/<example_id>/explanations")
        def explain(example_id: str) -> Any:
            found = loop.find_example(example_id, str(self._me().person_id))
            found["explanations"] = {**found["explanations"], **request.get_json()}
            return jsonify(found)

        @app.post(f"{base}/examples/<example_id>/inspections")
        def inspect(example_id: str) -> Any:
            found = loop.find_example(example_id, str(self._me().person_id))
            return jsonify(loop.inspect(found, request.get_json()))

    def _owners(self, app: Flask) -> None:
        self.threads.install(app, lambda: self._me().user_name != "olga")
        self.orders.install(app, lambda: str(self._me().person_id))
        self.loop.training.install(app, lambda: str(self._me().person_id))
        self.owners.install(app, lambda: str(self._me().person_id))
        self.campaigns.install(app, lambda: str(self._me().person_id))
        self.work.install(app, lambda: str(self._me().person_id))
        self.archive.install(app, lambda: str(self._me().person_id))
        self.showcase.install(app, lambda: str(self._me().person_id))
        self.desk.install(app, self._me)
        self.members.install(app, self._me)
        self.desk.access.install(app, self._me, self._session)
        self.models.install(app, self._me, lambda: g.person, lambda: self.url)
        self.workshop.submitted = lambda task: self.models.fitting(task, self._me())

    def _desk(self, app: Flask) -> None:
        install(app, self.loop, lambda: str(self._me().person_id))

    def _validation(self, app: Flask) -> None:
        web_fake_votes.install(app, self.loop, lambda: str(self._me().person_id))

        @app.get("/api/validation/v1/rounds/<round_id>/counts")
        def counts(round_id: str) -> Any:
            return jsonify(
                round_id=round_id,
                examples=402,
                votes=702,
                resolved=310,
                correct=264,
                incorrect=31,
                flagged=6,
                disputed=9,
                no_claim=0,
                pending=92,
                pending_fooling=60,
                not_asked=12,
                leases_out=4,
            )

    def _leaderboard(self, app: Flask) -> None:
        base = "/api/leaderboard/v1"

        @app.get(f"{base}/rounds/<round_id>")
        def board(round_id: str) -> Any:
            return jsonify({**self.figures, "round_id": round_id})

        @app.get(f"{base}/rounds/<round_id>/history")
        def points(round_id: str) -> Any:
            return jsonify(self.history)

        @app.get(f"{base}/tasks")
        def headlines() -> Any:
            first = headline(self.loop.round_id, self.figures)
            return jsonify(items=[first, *self.more_headlines], next_cursor=None)

        own_figures(app, base, self.my_rounds)
