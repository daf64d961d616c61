"""No answer of a service distinguishes an attention check from an example: every route is asked about both.

Compared are statuses, shapes, the places of the item's id, times, and all numbers, before and after each act.

The routes are those of the published documents, so a new one is included at once.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import pytest
import urllib3
from dynabench_client import Dynabench
from dynabench_client.results.validation import Vote
from dynabench_common.identifiers import new_id
from dynabench_common.testing import wait_until

from tests.published import WITH_DOCUMENT
from tests.scenarios import PASSWORD, NewAnnotator, OwnTask, lease, own_task, sign_up, write

POSTED_TO = ("annotation", "validation", "leaderboard")
ANONYMOUS, VALIDATOR, AUTHOR = "anonymous", "validator", "author"
CHECK = "Please choose positive here, dear reader."
CONTEXT = {"prompt": "We ate by the sea."}
TEXTS = (
    "The soup was wonderful and everyone was kind to us.",
    "The bread was wonderful and everyone was kind to us.",
    "The fish was wonderful, and what is more it was dead.",
)
OF_ANOTHER = "The tea was wonderful, and they even sang for us."
ALTERS: Mapping[str, str] = {
    "/api/validation/v1/leases/{lease_id}/votes": "it answers on the item, which is done for both afterwards",
    "/api/validation/v1/rounds/{round_id}/leases": "it gives the item on lease, which is how it came to be asked about",
    "/api/leaderboard/v1/tasks/{slug}/model-board/snapshots": "a board that is frozen stays; no item is in it",
    "/api/annotation/v1/people/me/data": "it has the probes of this test; annotation knows no attention checks",
    "/api/leaderboard/v1/tasks/{slug}/model-board/views": "weights that are saved stay; no item is in them",
}
"""Routes that are not called in between, each with the reason."""
AFTER_THE_ANSWER: Mapping[str, str] = {
    "/api/validation/v1/rounds/{round_id}/counts": "known items are no votes, and what is graded is given by then",
    "/api/validation/v1/rounds/{round_id}/agreement": "the same",
    "/api/validation/v1/rounds/{round_id}/human-estimate": "the same",
    "/api/validation/v1/rounds/{round_id}/me": "a person may know how they did on known items",
    "/api/validation/v1/people/me/waiting": "known items are not among the examples that wait for anybody",
    "/api/leaderboard/v1/people/me": "known items are no votes, and what is graded is given by then",
    "/api/leaderboard/v1/rounds/{round_id}": "the same",
    "/api/leaderboard/v1/tasks": "the same",
}
"""Routes whose counters may differ once a label is chosen, each with the reason; before, none may differ."""


@dataclass(frozen=True)
class Item:
    """An example leased by a validator."""

    example_id: str
    lease_id: str
    text: str


@dataclass(frozen=True)
class Answer:
    """Information in a reply: status, content type, and names and types of all values.

    `places` are the lines or items that name the item, counted from the nearer end of the list.
    """

    status: int
    content_type: str
    problem: str
    shape: Any
    places: tuple[int, ...]


class Asker:
    """A person who calls every route about an item."""

    def __init__(self, url: str, token: str | None, known: Mapping[str, str], context_id: str) -> None:
        self._url, self._known, self._context_id = url, known, context_id
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, item: Item | None = None) -> Any:
        """Return the reply of a route."""
        about = {"example_id": item.example_id, "lease_id": item.lease_id} if item else {}
        address = path
        for name, value in {**self._known, **about}.items():
            address = address.replace(f"{{{name}}}", value)
        while "{" in address:
            start, end = address.index("{"), address.index("}")
            address = address[:start] + str(uuid4()) + address[end + 1 :]
        body = self._body(path, item) if method == "POST" and item else None
        return urllib3.request(method, self._url + address, json=body, headers=self._headers, retries=False)

    def _body(self, path: str, item: Item) -> dict[str, Any]:
        written = {"context_id": self._context_id, "input": {"text": item.text}}
        bodies: dict[str, dict[str, Any]] = {
            "/rounds/{round_id}/examples": {
                "context_id": self._context_id,
                "input": {"text": item.text, "label": "neutral"},
                "perturbation_of": item.example_id,
            },
            "/rounds/{round_id}/similar": written,
            "/rounds/{round_id}/probes": written,
            "/rounds/{round_id}/requeue": {"example_ids": [item.example_id], "reason": "Why?"},
            "/examples/{example_id}/appeal": {"reason": "Why?"},
            "/examples/{example_id}/inspections": {"target": "sentiment-minilm"},
            "/rounds/{round_id}/me/pause-appeal": {"reason": "Why?"},
        }
        return bodies.get(path.split("/v1", 1)[1], {})


def routes(url: str) -> Iterator[tuple[str, str]]:
    """Yield method and path of every reading route, or of one that is posted to about an item."""
    for service in WITH_DOCUMENT:
        document = urllib3.request("GET", f"{url}/api/{service}/openapi.json").json()
        for path, operations in document["paths"].items():
            for method in ("get", "post"):
                is_asked = method == "get" or service in POSTED_TO
                if is_asked and method in operations and path not in ALTERS:
                    yield method.upper(), path


def shape(value: Any) -> Any:
    """Return the names and types of a document's values."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return sorted({str(shape(each)) for each in value})
    return type(value).__name__


def document_of(reply: Any) -> Any:
    """Return the content of an answer: JSON, a list for JSON lines, None for others."""
    kind = reply.headers.get("Content-Type", "")
    if kind.endswith("jsonl"):
        return [json.loads(line) for line in reply.data.splitlines()]
    return reply.json() if kind.endswith("json") and reply.data else None


def described(reply: Any, item: Item) -> Answer:
    document = document_of(reply)
    problem = document.get("type", "") if reply.status >= 400 and document else ""
    listed = document.get("items") if isinstance(document, dict) else None
    parts = reply.data.decode("utf-8", "replace").splitlines() if listed is None else map(str, listed)
    lines = list(parts)
    named = (place for place, part in enumerate(lines) if item.example_id in part)
    places = tuple(min(place, len(lines) - 1 - place) for place in named)
    return Answer(reply.status, reply.headers.get("Content-Type", ""), problem, shape(document), places)


def numbers(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number in a document with its place, which is one for all items of a list."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from numbers(each, f"{place}.{name}")
    elif isinstance(value, list):
        yield f"{place}.length", len(value)
        for each in value:
            yield from numbers(each, f"{place}[]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, value


@pytest.fixture
def task(platform: Any) -> OwnTask:
    person = platform.sign_ins()["admin"]
    admin = Dynabench(platform.url, user_name="admin", password=person["password"])
    found = own_task(
        platform.url, admin, {"perturbations": True}, policy={"adaptive": {"agree": 3, "max_votes": 5}}
    )
    for number in range(2):
        found.owner.client.validation.add_gold(
            found.slug, CONTEXT, {"text": CHECK.replace("dear", "dear" * (number + 1))}, "positive"
        )
    return found


class Stage:
    """A round with examples of two authors, and those who ask about them."""

    def __init__(self, url: str, task: OwnTask) -> None:
        self.url, self.round_id = url, task.open_round()
        self.validator, author, another = (sign_up(url) for _ in range(3))
        for text in TEXTS:
            write(author.client, self.round_id, text, "negative")
        write(another.client, self.round_id, OF_ANOTHER, "positive")
        known = {"round_id": self.round_id, "slug": task.slug}
        self.callers = {
            ANONYMOUS: Asker(url, None, known, str(uuid4())),
            VALIDATOR: Asker(url, token(url, self.validator), known, self._context_of(self.validator)),
            AUTHOR: Asker(url, token(url, another), known, self._context_of(another)),
        }
        self.routes = list(routes(url))
        first = lease(self.validator.client, self.round_id)
        assert first.lease_id is not None
        self.validator.client.validation.skip(first.lease_id)

    def _context_of(self, person: NewAnnotator) -> str:
        return person.client.annotation.assign(self.round_id).context.context_id

    def answer(self, kind: str) -> None:
        """Let the validator answer on the next item."""
        self.vote(self.hold(), kind)

    def vote(self, item: Item, kind: str) -> Vote:
        """Answer, with `change` first unsure and then otherwise; return once scoring lists the person's own answer."""
        area = self.validator.client.validation
        value = "positive" if kind == "label" else None
        cast = area.vote(item.lease_id, "unsure" if kind == "change" else kind, value=value)
        self._wait_for_export(item, cast)
        if kind == "change":
            cast = area.change_vote(cast.vote_id, "label", value="positive")
            self._wait_for_export(item, cast)
        return cast

    def _wait_for_export(self, item: Item, cast: Vote) -> None:
        def is_exported() -> bool:
            text = b"".join(self.validator.client.datasets.export_own()).decode()
            return cast.vote_id in text and item.example_id in text

        wait_until(is_exported, what="the answer in one's own export")

    def hold(self) -> Item:
        held = self.validator.client.validation.lease(self.round_id)
        assert held.lease_id is not None and held.example is not None, held
        return Item(held.example.example_id, held.lease_id, held.example.input["text"])

    def answers(self, item: Item) -> dict[tuple[str, str, str], Answer]:
        """Return every route's answers to all people about an item."""
        return {
            (name, method, path): described(caller.ask(method, path, item), item)
            for method, path in self.routes
            for name, caller in self.callers.items()
        }

    def counters(self) -> dict[tuple[str, str, str], float]:
        """Return every readable number, once it no longer changes."""
        found: list[dict[tuple[str, str, str], float]] = [self._counters(), self._counters()]

        def stand_still() -> bool:
            found.append(self._counters())
            return found[-1] == found[-2] == found[-3]

        wait_until(stand_still, what="the counters to stand still")
        return found[-1]

    def _counters(self) -> dict[tuple[str, str, str], float]:
        read = defaultdict[tuple[str, str, str], float](float)
        for method, path in self.routes:
            is_counted = path.split("/")[2] in POSTED_TO
            if is_counted and method == "GET" and "{example_id}" not in path:
                for name, caller in self.callers.items():
                    reply = caller.ask(method, path)
                    document = document_of(reply) if reply.status == 200 else {}
                    for place, value in numbers(document):
                        read[name, path, place] += value
        return dict(read)


def moved(before: Mapping[Any, float], after: Mapping[Any, float]) -> dict[Any, float]:
    """Return the difference of each number."""
    return {
        name: after.get(name, 0) - before.get(name, 0)
        for name in before.keys() | after.keys()
        if after.get(name) != before.get(name)
    }


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", ["change", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("unsure", "label"))]
)
def test_an_attention_check_and_an_example_are_alike_on_every_route(
    platform: Any, task: OwnTask, kind: str
) -> None:
    stage = Stage(platform.url, task)
    for _ in range(2):
        stage.answer(kind)
    example, check = (observe(stage, kind) for _ in range(2))
    assert example.item.text in TEXTS
    assert check.item.text.startswith("Please choose positive")
    times = [UUID(each).int >> 80 for each in (stage.round_id, check.item.example_id, str(new_id()))]
    assert times == sorted(times)
    assert example.counted_at_lease == check.counted_at_lease
    assert not (odd := differences(example.answers_before, check.answers_before)), odd
    assert example.reply == check.reply
    assert not (odd := differences(example.answers_after, check.answers_after)), odd
    places = example.counted_at_answer.keys() | check.counted_at_answer.keys()
    unlike = {at for at in places if example.counted_at_answer.get(at) != check.counted_at_answer.get(at)}
    reasons = {} if kind == "unsure" else AFTER_THE_ANSWER
    assert {path for _, path, _ in unlike} <= reasons.keys(), unlike


@dataclass(frozen=True)
class Observed:
    """All visible data of an item from its lease to its answer."""

    item: Item
    counted_at_lease: Mapping[Any, float]
    answers_before: Mapping[Any, Answer]
    reply: Any
    counted_at_answer: Mapping[Any, float]
    answers_after: Mapping[Any, Answer]


def observe(stage: Stage, kind: str) -> Observed:
    """Let the validator lease an item and answer, and record all answers meanwhile."""
    idle = stage.counters()
    item = stage.hold()
    held = stage.counters()
    answers_before = stage.answers(item)
    reply = shape(stage.vote(item, kind).document())
    answered = stage.counters()
    at_lease, at_answer = moved(idle, held), moved(held, answered)
    return Observed(item, at_lease, answers_before, reply, at_answer, stage.answers(item))


def differences(one: Mapping[Any, Answer], other: Mapping[Any, Answer]) -> dict[Any, Any]:
    return {name: (one[name], other[name]) for name in one if one[name] != other[name]}


def token(url: str, person: NewAnnotator) -> str:
    return Dynabench(url).accounts.sign_in(person.user_name, PASSWORD).access_token
