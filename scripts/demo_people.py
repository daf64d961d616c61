"""The demo's twelve people: they write, explain, retract and vote, each with a skill and mistakes of their own."""

import random
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from demo_lines import Deck, Line
from dynabench_client import Dynabench
from dynabench_client.results.annotation import Assignment, Example
from dynabench_client.results.validation import Lease, LeasedExample
from dynabench_tasks.values import Value

NAMES = ("ana", "bo", "chidi", "dana", "emil", "fatou", "goro", "hilde", "ines", "jun", "kofi", "lena")
RETRACT_EVERY = 40
FLAG_RATE = 0.07
Tick = Callable[[], None]


@dataclass
class Person:
    """One of the demo's people: shares of votes that go wrong, and that are flags."""

    number: int
    client: Dynabench
    error_rate: float
    random: random.Random
    flag_rate: float = FLAG_RATE
    owed_errors: float = 0.5
    owed_flags: float = 0.0


@dataclass(frozen=True)
class Stage:
    """The round that is played, and its task's configuration."""

    round_id: str
    round_number: int
    contexts: int
    configuration: Mapping[str, Any]

    @cached_property
    def claimed(self) -> Mapping[str, Any]:
        """Return the claimed field: the one that stands in input and output."""
        outputs = {entry["name"] for entry in self.configuration["output"]}
        found: Mapping[str, Any] = next(e for e in self.configuration["input"] if e["name"] in outputs)
        return found

    @cached_property
    def text_field(self) -> str:
        """Return the name of the field in which people write."""
        fields = self.configuration["input"]
        return str(next(e["name"] for e in fields if e["type"] == "string" and e != self.claimed))

    @property
    def must_explain(self) -> bool:
        """Return whether people must explain a fooling example before the next context."""
        return bool(self.configuration["explanations"] == "required_when_fooled")

    def reading_seconds(self, example: LeasedExample) -> float:
        """Return the minimum reading time of an example, by the task's rule."""
        speed = self.configuration["validation"].get("reading_speed", 0)
        values = (*example.context.values(), *example.input.values())
        return sum(len(value) for value in values if isinstance(value, str)) / speed if speed else 0.0

    def input(self, line: Line, context: Mapping[str, Any]) -> dict[str, Value]:
        """Return the input for a line on a context, its claim included."""
        is_span = self.claimed["type"] == "span"
        claim = span(context[self.claimed["of"]], line.claim) if is_span else line.claim
        return {self.text_field: line.text, self.claimed["name"]: claim}

    def metadata(self, line: Line) -> dict[str, Value]:
        """Return the task's metadata for a line in this round."""
        asked = self.configuration.get("metadata", {}).get("create", ())
        return {entry["name"]: line.metadata[entry["name"]] for entry in asked if self._is_asked(entry, line)}

    def _is_asked(self, entry: Mapping[str, Any], line: Line) -> bool:
        when = entry.get("when") or {}
        return (
            entry["name"] in line.metadata
            and line.claim in when.get("claimed", (line.claim,))
            and self.round_number >= when.get("from_round", 1)
        )


@dataclass
class Outcome:
    """Result, for the table and for tests."""

    task: str
    round_id: str
    examples: list[tuple[Line, Example]] = field(default_factory=list)
    votes: int = 0
    wrong_votes: int = 0
    flags: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, line: Line, example: Example) -> bool:
        """Note an example; return whether its author retracts it."""
        with self.lock:
            self.examples.append((line, example))
            return len(self.examples) % RETRACT_EVERY == 0

    def add_vote(self, wrong: bool, flag: bool) -> None:
        """Note a vote."""
        with self.lock:
            self.votes += 1
            self.wrong_votes += wrong
            self.flags += flag


def sign_up(url: str, seed: int) -> list[Person]:
    """Register the twelve, each with a skill of their own."""
    people, run = [], secrets.token_hex(3)
    for number, name in enumerate(NAMES):
        user_name, password = f"{name}-{run}", secrets.token_urlsafe(12)
        Dynabench(url).accounts.sign_up(user_name, f"{user_name}@demo.invalid", password)
        client = Dynabench(url, user_name=user_name, password=password)
        people.append(Person(number, client, 0.11 + 0.02 * number, random.Random(f"{seed}-{name}")))
    return people


def write(person: Person, stage: Stage, deck: Deck, outcome: Outcome, tick: Tick) -> None:
    """Submit a person's lines, mostly one a context, sometimes a second on the same.

    Contexts without a fitting line are skipped; the person stops after as many skips as the round has contexts.
    """
    assignment: Assignment | None = None
    share, written, passed = deck.share(person.number), 0, 0
    while written < share and passed < stage.contexts:
        if assignment is None or passed or written % 3 != 1:
            current = assignment.context.context_id if assignment else None
            assignment = person.client.annotation.assign(stage.round_id, current)
        context = assignment.context
        line = deck.deal(person.number, _shown(context.fields), assignment.assigned_label)
        if line is None:
            passed += 1
            continue
        written += 1
        values = stage.input(line, context.fields)
        submit(person, stage, line, context.context_id, values, outcome)
        tick()


def _shown(fields: Mapping[str, Any]) -> str:
    return next((value for value in fields.values() if isinstance(value, str)), "")


def submit(
    person: Person,
    stage: Stage,
    line: Line,
    context_id: str,
    values: Mapping[str, Value],
    outcome: Outcome,
    perturbation_of: str | None = None,
) -> None:
    """Submit a line and, unless it is retracted, its smallest edit; explain some, or all if the task requires it."""
    example = person.client.annotation.create_example(
        stage.round_id,
        context_id,
        values,
        metadata=stage.metadata(line) or None,
        perturbation_of=perturbation_of,
    )
    is_retracted = outcome.add(line, example)
    if example.fooled and (stage.must_explain or len(outcome.examples) % 2):
        explain(person, line, example.example_id)
    if is_retracted:
        person.client.annotation.retract(example.example_id)
    elif line.edit:
        edited = {**values, stage.text_field: line.edit.text, stage.claimed["name"]: line.edit.claim}
        submit(person, stage, line.edit, context_id, edited, outcome, example.example_id)


def explain(person: Person, line: Line, example_id: str) -> None:
    """Say why the label is right, and why the model was fooled."""
    person.client.annotation.explain_example(
        example_id,
        label=f"A person sees at once that this is “{line.claim}”.",
        model=f"The text is of the kind “{line.kind.replace('_', ' ')}”.",
    )


def vote(person: Person, stage: Stage, truth: Mapping[str, Line], outcome: Outcome, tick: Tick) -> None:
    """Vote until no example is left for this person; skip what the demo did not write."""
    while True:
        lease = person.client.validation.lease(stage.round_id)
        if lease.lease_id is None or lease.example is None:
            return
        line = truth.get(str(lease.example.input.get(stage.text_field)))
        if line is None:
            person.client.validation.skip(lease.lease_id)
            continue
        time.sleep(stage.reading_seconds(lease.example))
        person.owed_flags += person.flag_rate
        if person.owed_flags >= 1:
            person.owed_flags -= 1
            person.client.validation.vote(lease.lease_id, "flag", reason="I can't tell what is meant here.")
            outcome.add_vote(wrong=False, flag=True)
        else:
            right, *others = answers(lease, line)
            value = choice(person, line, right, others)
            reply = person.client.validation.vote(lease.lease_id, "label", value=value)
            if reply.vote_id and person.random.random() < 0.5:
                person.client.validation.reveal(reply.vote_id)
                person.client.validation.judge(reply.vote_id, value == right)
            outcome.add_vote(wrong=value != right, flag=False)
        tick()


def answers(lease: Lease, line: Line) -> list[Value]:
    """Return the possible answers to a leased example, the right one first."""
    if lease.answer_type != "span":
        return [line.claim, *(option for option in lease.options if option != line.claim)]
    text = str(lease.example.context[lease.span_of]) if lease.example and lease.span_of else ""
    words = text.split()
    return [span(text, part) for part in (line.claim, " ".join(words[:4]), " ".join(words[-4:]))]


def span(text: str, part: str) -> dict[str, Any]:
    """Return the first place of `part` in `text`. Raises ValueError if it isn't there."""
    start = text.index(part)
    return {"start": start, "end": start + len(part), "text": part}


def choice(person: Person, line: Line, right: Value, others: Sequence[Value]) -> Value:
    """Return the answer that this person gives: people disagree most about balanced lines."""
    if line.is_balanced:
        return person.random.choice([right, *others])
    person.owed_errors += person.error_rate
    if person.owed_errors < 1:
        return right
    person.owed_errors -= 1
    return person.random.choice(others)
