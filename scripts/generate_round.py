"""Fill a round with any number of examples, for measurements of pages and queries.

A million tries through the API would take a day, most of it spent asking models. So annotation's rows are written in
bulk, in the form in which its own commands write them, and their events are published. Validation, leaderboard and
scoring then process them as always, and everything they show is computed as usual. People's shares of the tries fall
off like 1 / rank, as on real platforms. A share of the tries fools, and votes on these decide them.

Run as `make scale` does, or by hand on a running platform:

`.venv/bin/python scripts/generate_round.py --examples 100000`.
"""

import argparse
import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from uuid import UUID

import psycopg2
from dynabench.example.v1.example_pb2 import (
    VERDICT_FOOLED,
    VERDICT_NOT_FOOLED,
    ExampleCreated,
    ImportedVote,
    TargetAnswer,
)
from dynabench_client import Dynabench
from dynabench_common.events.brokers import connection
from dynabench_common.events.cloud_events import headers_for
from dynabench_common.identifiers import new_id
from dynabench_local.layout import from_environment
from dynabench_local.stack import Stack
from dynabench_tasks.near_duplicates import bands_of, shingles_of
from kafka import KafkaProducer

LABELS = ("negative", "neutral", "positive")
TARGET = "sentiment-minilm"
TOPIC = "dynabench.example.v1"
BATCH = 20_000
DAYS = 60
FOOLED = 0.3
VOTED = 0.5
SYLLABLES = ("ba", "den", "fi", "gor", "hul", "ka", "lem", "mi", "nor", "pa", "ris", "su", "tev", "wo", "zan")
VOCABULARY = 3_000
WORDS = 9


@dataclass(frozen=True)
class Place:
    """Destination of the examples."""

    task_id: str
    task_slug: str
    round_id: str
    configuration_version: int


@dataclass(frozen=True)
class Made:
    """One invented try."""

    example_id: UUID
    context: int
    author: int
    attempt: int
    text: str
    claimed: str
    answered: str
    seconds: float
    created_at: datetime
    voters: tuple[int, ...]

    @property
    def fooled(self) -> bool:
        """Return whether the target's answer differs from the claim."""
        return self.claimed != self.answered


class Crowd:
    """People, the same for the same seed, and contexts of one round."""

    def __init__(self, people: int, contexts: int, seed: int) -> None:
        chance = random.Random(seed)
        self.people = [UUID(int=chance.getrandbits(128), version=4) for _ in range(people)]
        self.contexts = [new_id() for _ in range(contexts)]
        self._weights = list(accumulate(1 / (rank + 10) for rank in range(people)))
        self._words = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(VOCABULARY)]
        self._word_weights = list(accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))
        self._chance = chance
        self._attempts: dict[tuple[int, int], int] = {}

    def tries(self, number: int, now: datetime) -> Iterator[Made]:
        """Yield so many tries, spread over the last days, oldest first."""
        chance, start = self._chance, now - timedelta(days=DAYS)
        for position in range(number):
            author = chance.choices(range(len(self.people)), cum_weights=self._weights)[0]
            context = chance.randrange(len(self.contexts))
            attempt = self._attempts.get((context, author), 0) + 1
            self._attempts[context, author] = attempt
            claimed = chance.choice(LABELS)
            is_wrong = chance.random() < FOOLED
            others = [label for label in LABELS if label != claimed]
            yield Made(
                example_id=new_id(),
                context=context,
                author=author,
                attempt=attempt,
                text=self._sentence(),
                claimed=claimed,
                answered=chance.choice(others) if is_wrong else claimed,
                seconds=attempt * chance.uniform(10, 90),
                created_at=start + timedelta(days=DAYS) * (position / number),
                voters=self._voters(author) if is_wrong and chance.random() < VOTED else (),
            )

    def _sentence(self) -> str:
        return " ".join(self._chance.choices(self._words, cum_weights=self._word_weights, k=WORDS))

    def _voters(self, author: int) -> tuple[int, ...]:
        others = self._chance.sample(range(len(self.people)), 3)
        return tuple(voter for voter in others if voter != author)[:2]


class Writer:
    """Writes tries into annotation's database and publishes their events."""

    def __init__(self, database_url: str, bootstrap_servers: str, place: Place, crowd: Crowd) -> None:
        self._connection = psycopg2.connect(database_url.replace("postgresql+psycopg2", "postgresql"))
        self._producer = KafkaProducer(
            **connection(bootstrap_servers), linger_ms=50, acks="all", compression_type="gzip"
        )
        self._place, self._crowd = place, crowd

    def write_contexts_and_people(self) -> None:
        """Store the contexts, and that everybody takes part."""
        rows = (
            (
                context_id,
                self._place.round_id,
                json.dumps({"prompt": f"Prompt {number}."}),
                "{generated}",
                f"\\\\x{number:064x}",
                1,
                False,
                0,
            )
            for number, context_id in enumerate(self._crowd.contexts)
        )
        names = "context_id, round_id, fields, tags, fingerprint, use_count, is_withdrawn, version"
        self._copy("context", names, rows)
        people = ((self._place.round_id, person) for person in self._crowd.people)
        self._copy("participation", "round_id, person_id", people)

    def write(self, tries: list[Made]) -> None:
        """Store tries, then publish them."""
        names = (
            "example_id, task_id, round_id, context_id, author_id, configuration_version, context, input, "
            "context_tags, claimed, claimed_labels, assigned_label, metadata, answers, verdict, attempt, "
            "seconds_since_context, probes_before, inspections_before, hint_shown, condition, cohort, "
            "milliseconds, label_explanation, model_explanation, created_at, version"
        )
        self._copy("example", names, (self._row(made) for made in tries))
        self._copy("example_signature", "example_id, bands", (self._signature(made) for made in tries))
        for made in tries:
            self._publish(made)

    def close(self) -> None:
        """Wait until every event is on the wire."""
        self._producer.flush()
        self._producer.close()
        self._connection.close()

    def _copy(self, table: str, names: str, rows: Iterator[tuple[object, ...]]) -> None:
        lines = io.StringIO("".join("\t".join(map(str, row)) + "\n" for row in rows))
        with self._connection, self._connection.cursor() as cursor:
            cursor.copy_expert(f"COPY {table} ({names}) FROM STDIN", lines)

    def _signature(self, made: Made) -> tuple[object, ...]:
        bands = bands_of(UUID(self._place.round_id), shingles_of(made.text))
        return made.example_id, f"{{{','.join(map(str, bands))}}}"

    def _row(self, made: Made) -> tuple[object, ...]:
        place, crowd = self._place, self._crowd
        answer = {
            "target": TARGET,
            "value": made.answered,
            "confidence": 0.7,
            "probabilities": {made.answered: 0.7},
            "wrong": made.fooled,
            "model_digest": "sha256:generated",
            "handler_digest": "sha256:generated",
            "milliseconds": 20.0,
        }
        verdict = "fooled" if made.fooled else "not_fooled"
        return (
            made.example_id,
            place.task_id,
            place.round_id,
            crowd.contexts[made.context],
            crowd.people[made.author],
            place.configuration_version,
            json.dumps({"prompt": f"Prompt {made.context}."}),
            json.dumps({"text": made.text}),
            "{generated}",
            json.dumps(made.claimed),
            f"{{{made.claimed}}}",
            "",
            "{}",
            json.dumps([answer]),
            verdict,
            made.attempt,
            made.seconds,
            0,
            0,
            False,
            "prompt",
            "volunteer",
            20.0,
            "",
            "",
            made.created_at.isoformat(),
            1,
        )

    def _publish(self, made: Made) -> None:
        place, crowd = self._place, self._crowd
        message = ExampleCreated(
            example_id=str(made.example_id),
            task_id=place.task_id,
            task_slug=place.task_slug,
            round_id=place.round_id,
            context_id=str(crowd.contexts[made.context]),
            context={"prompt": f"Prompt {made.context}."},
            input={"text": made.text},
            claimed=made.claimed,
            answers=[
                TargetAnswer(
                    target=TARGET,
                    value=made.answered,
                    probabilities={made.answered: 0.7},
                    wrong=made.fooled,
                    model_digest="sha256:generated",
                    handler_digest="sha256:generated",
                )
            ],
            verdict=VERDICT_FOOLED if made.fooled else VERDICT_NOT_FOOLED,
            author_id=str(crowd.people[made.author]),
            cohort="volunteer",
            condition="prompt",
            attempt=made.attempt,
            seconds_since_context=made.seconds,
            configuration_version=place.configuration_version,
            created_at=made.created_at,
            context_tags=["generated"],
            imported_votes=[
                ImportedVote(voter_id=str(crowd.people[voter]), kind="label", option=made.claimed)
                for voter in made.voters
            ],
        )
        headers = headers_for(
            event_id=new_id(),
            type_name=message.DESCRIPTOR.full_name,
            source="/annotation",
            time=made.created_at,
            aggregate_version=1,
            traceparent=None,
        )
        key = str(made.example_id).encode()
        self._producer.send(TOPIC, key=key, value=message.SerializeToString(), headers=headers)


@dataclass(frozen=True)
class Wanted:
    """Requested amounts; the same seed makes the same texts and people."""

    examples: int
    people: int = 10_000
    contexts: int = 10_000
    seed: int = 1


@dataclass(frozen=True)
class Filled:
    """A filled round, and how many of its examples votes will decide."""

    round_id: str
    decided: int


def fill(stack: Stack, owner: Dynabench, wanted: Wanted, say: Callable[[str], object]) -> Filled:
    """Make a round of the sentiment task and fill it; it is open afterwards."""
    drafted = owner.annotation.create_round("sentiment", [TARGET], f"{wanted.examples:,} generated tries")
    task = owner.annotation.task("sentiment")
    place = Place(task.task_id, task.slug, drafted.round_id, task.configuration_version)
    settings = stack.environment("annotation")
    crowd = Crowd(wanted.people, wanted.contexts, wanted.seed)
    writer = Writer(settings["DATABASE_URL"], settings["KAFKA_BOOTSTRAP_SERVERS"], place, crowd)
    writer.write_contexts_and_people()
    decided, batch = 0, list[Made]()
    for position, made in enumerate(crowd.tries(wanted.examples, datetime.now(UTC)), start=1):
        decided += bool(made.voters)
        batch.append(made)
        if len(batch) == BATCH or position == wanted.examples:
            writer.write(batch)
            batch = []
            say(f"{position:,} of {wanted.examples:,} tries written")
    writer.close()
    owner.annotation.set_round_state(drafted.round_id, "open")
    return Filled(drafted.round_id, decided)


def main() -> None:
    """Fill a round of the running platform and print its id."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--contexts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = Wanted(**vars(parser.parse_args()))
    stack = Stack(from_environment(), print)
    people = json.loads((stack.layout.home / "demo-sign-ins.json").read_text())
    password = next(person["password"] for person in people if person["user_name"] == "olga")
    owner = Dynabench(stack.layout.url("edge"), user_name="olga", password=password)
    print(fill(stack, owner, wanted, print).round_id)


if __name__ == "__main__":
    main()
