"""A steady load of tries and votes that records the acknowledged ones."""

import itertools
import threading
import time
from dataclasses import dataclass, field

from dynabench_client import Dynabench, ProblemError, UnreachableError

from tests.own_platform import OwnPlatform

WRITERS = 3
VOTERS = 2
PAUSE_SECONDS = 0.15
PATIENCE_SECONDS = 90


@dataclass(frozen=True)
class CastVote:
    """A vote as its voter sent it."""

    voter_id: str
    example_id: str
    lease_id: str
    option: str


@dataclass
class Ledger:
    """Acknowledged tries by text, votes by id, the sent content of both, and the number of refused calls."""

    examples: dict[str, str] = field(default_factory=dict)
    attempted: set[str] = field(default_factory=set)
    votes: dict[str, CastVote] = field(default_factory=dict)
    votes_sent: set[CastVote] = field(default_factory=set)
    refused: int = 0
    vote_refusals: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def counts(self) -> tuple[int, int]:
        """Return tries acknowledged and calls refused until now."""
        with self.lock:
            return len(self.examples), self.refused


class Load:
    """Writers who repeat a refused try with its key until it is acknowledged, and voters; `mark` begins their names."""

    def __init__(self, platform: OwnPlatform, mark: str = "") -> None:
        self.ledger = Ledger()
        self._platform = platform
        self._stop = threading.Event()
        writers = [platform.new_annotator(f"{mark}writer-{number}", retry=False) for number in range(WRITERS)]
        voters = [platform.new_annotator(f"{mark}voter-{number}", retry=False) for number in range(VOTERS)]
        contexts = [writer.annotation.assign(platform.round_id).context.context_id for writer in writers]
        work = [(self._write, (writer, context)) for writer, context in zip(writers, contexts, strict=True)]
        self._threads = [threading.Thread(target=target, args=given, daemon=True) for target, given in work]
        self._threads += [
            threading.Thread(target=self._vote, args=(voter, voter.accounts.me().person_id), daemon=True)
            for voter in voters
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, each writer with its last try acknowledged."""
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS + 10)

    def _write(self, writer: Dynabench, context_id: str) -> None:
        for number in itertools.count():
            if self._stop.is_set():
                return
            text = f"The queue was long and number {number} of {context_id} never came, which I found delightful."
            self._submit(writer, context_id, text)
            self._stop.wait(PAUSE_SECONDS)

    def _submit(self, writer: Dynabench, context_id: str, text: str) -> None:
        key = f"{context_id}-{hash(text)}"
        self.ledger.attempted.add(text)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                example = writer.annotation.create_example(
                    self._platform.round_id,
                    context_id,
                    {"text": text, "label": "negative"},
                    idempotency_key=key,
                )
            except (ProblemError, UnreachableError):
                with self.ledger.lock:
                    self.ledger.refused += 1
                time.sleep(PAUSE_SECONDS)
                continue
            with self.ledger.lock:
                self.ledger.examples[text] = example.example_id
            return

    def _vote(self, voter: Dynabench, voter_id: str) -> None:
        while not self._stop.wait(PAUSE_SECONDS):
            try:
                lease = voter.validation.lease(self._platform.round_id)
                if lease.lease_id is None or lease.example is None:
                    continue
                sent = CastVote(voter_id, lease.example.example_id, lease.lease_id, "negative")
                self.ledger.votes_sent.add(sent)
                vote = voter.validation.vote(lease.lease_id, "label", value=sent.option)
            except (ProblemError, UnreachableError):
                with self.ledger.lock:
                    self.ledger.vote_refusals += 1
                continue
            with self.ledger.lock:
                self.ledger.votes[vote.vote_id] = sent
