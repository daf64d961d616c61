"""Tasks and rounds of a test's own, and people who fill them through the SDK."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar
from uuid import uuid4

import yaml
from dynabench_client import Dynabench, ProblemError
from dynabench_client.results.annotation import Example
from dynabench_client.results.leaderboard import RoundFigures
from dynabench_client.results.validation import Lease, Vote
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout

PASSWORD = "a-long-password-of-the-tests"
SHIPPED_TASKS = ("sentiment", "nli", "qa", "hate-speech")
SENTIMENT = checkout() / "services" / "annotation" / "tasks" / "sentiment.yaml"
TARGET = "sentiment-minilm"
PRAISE = "The {} was wonderful and everyone was kind to us."
"""A text that the target calls positive: the claim `negative` fools the target."""
FLAG = "flag"
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class NewAnnotator:
    """A person who has just registered as an annotator, with the SDK."""

    user_name: str
    email: str
    person_id: str
    client: Dynabench


def sign_up(url: str) -> NewAnnotator:
    """Register a new person with PASSWORD."""
    name = f"e2e-{uuid4().hex[:10]}"
    email = f"{name}@demo.invalid"
    person = Dynabench(url).accounts.sign_up(name, email, PASSWORD)
    return NewAnnotator(name, email, person.person_id, Dynabench(url, user_name=name, password=PASSWORD))


@dataclass(frozen=True)
class OwnTask:
    """The shipped task about sentiment under a slug of its own, with an owner of its own."""

    slug: str
    owner: NewAnnotator

    def open_round(self, targets: Iterable[str] = (TARGET,)) -> str:
        """Open a round with a context to start from, and return its id."""
        area = self.owner.client.annotation
        made = area.create_round(self.slug, list(targets))
        area.add_contexts(made.round_id, [{"fields": {"prompt": "We ate by the sea."}, "tags": ["sea"]}])
        area.set_round_state(made.round_id, "open")
        return made.round_id

    def bring_in(self, records: Iterable[Mapping[str, Any]]) -> str:
        """Import records as a closed round, and return its id once validation knows all of them."""
        area, lines = self.owner.client.annotation, [json.dumps(record).encode() for record in records]
        made = area.start_import(self.slug, f"collection-{uuid4().hex[:8]}", [TARGET])
        area.add_records(made.round_id, b"\n".join(lines))
        area.set_round_state(made.round_id, "closed")

        def all_known() -> bool:
            counts = heard_of(lambda: self.owner.client.validation.counts(made.round_id))
            return counts is not None and counts.examples == len(lines)

        wait_until(all_known, what="validation to know the import")
        return made.round_id


def own_task(
    url: str, admin: Dynabench, keys: Mapping[str, Any] = MappingProxyType({}), **validation: Any
) -> OwnTask:
    """Create a task in which every example waits for votes; `keys` and `validation` change its configuration."""
    configuration = {**yaml.safe_load(SENTIMENT.read_text(encoding="utf-8")), **keys}
    slug = f"own-{uuid4().hex[:10]}"
    rules = {**configuration["validation"], "validate": "all", "reading_speed": 0, **validation}
    del rules["sample"]
    admin.annotation.create_task(yaml.safe_dump({**configuration, "slug": slug, "validation": rules}))
    owner = sign_up(url)
    admin.accounts.set_roles(owner.person_id, ["annotator", f"owner:{slug}"])
    wait_until(
        lambda: heard_of(lambda: admin.validation.gold(slug)) is not None, what="validation to know the task"
    )
    return OwnTask(slug, owner)


def let_votes_count_at_once(owner: Dynabench, slugs: Iterable[str]) -> None:
    """Put the tasks' configurations in force without a reading time: tests answer faster than anybody reads."""
    for slug in slugs:
        version = owner.annotation.task(slug).configuration_version
        written = owner.annotation.version(slug, version).yaml
        timeless = re.sub(r"(?m)^  reading_speed: \d+$", "  reading_speed: 0", written)
        if timeless != written:
            owner.annotation.configure_task(slug, timeless)


def record(number: int, **more: Any) -> dict[str, Any]:
    """Return a record of a collection in which the target is wrong about what the author claims."""
    return {
        "id": f"record-{number}",
        "context": {"prompt": "We ate by the sea."},
        "input": {"text": f"Dish number {number} was as warm as the sea in March."},
        "label": "negative",
        "targets": {TARGET: "positive"},
        **more,
    }


def write(author: Dynabench, round_id: str, text: str, label: str) -> Example:
    """Submit a try on the author's current context."""
    context = author.annotation.assign(round_id).context
    return author.annotation.create_example(round_id, context.context_id, {"text": text, "label": label})


def lease(voter: Dynabench, round_id: str) -> Lease:
    """Return an example on lease as soon as there is one."""

    def offered() -> Lease | None:
        found = heard_of(lambda: voter.validation.lease(round_id))
        return found if found and found.lease_id else None

    found: Lease = wait_until(offered, what="an example to validate")
    return found


def answer(voter: Dynabench, held: Lease, option: str) -> Vote:
    """Vote for an option, or flag the example."""
    assert held.lease_id is not None
    if option == FLAG:
        return voter.validation.vote(held.lease_id, FLAG, reason="It names somebody.")
    return voter.validation.vote(held.lease_id, held.vote, value=option)


def vote(voter: Dynabench, round_id: str, options: Mapping[str, str], votes: int = 1) -> list[Vote]:
    """Vote on so many examples, in their order; `options` are by example."""
    cast = []
    for _ in range(votes):
        held = lease(voter, round_id)
        assert held.example is not None
        cast.append(answer(voter, held, options[held.example.example_id]))
    return cast


def heard_of(ask: Callable[[], Answer]) -> Answer | None:
    """Return an answer about a round; None while the service does not know it."""
    try:
        return ask()
    except ProblemError as err:
        assert err.status == 404, err
        return None


def board(client: Dynabench, round_id: str) -> RoundFigures:
    """Return a round's figures as the leaderboard has them: zeros while it does not know the round."""
    found = heard_of(lambda: client.leaderboard.round(round_id))
    return found or RoundFigures.blank(round_id=round_id)
