"""Fakes of building and serving for tests of the checks, and queries about a submission."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from dynabench_archives.model_servers import Archive, BuildOrder, BuildState, BuildStatus
from registry.domain.catalogue import Seen
from sqlalchemy import Engine, text

from tests import hostile_archives as hostile

from .submissions import Submitter

DIGEST = "sha256:" + "a" * 64
GOOD = hostile.packed(hostile.declarative())
SERVED = Archive("x.mar", DIGEST, DIGEST, DIGEST, 10, "served/x.mar")
BUILT = BuildStatus(BuildState.DONE, ("built",), archive=SERVED)


@dataclass
class Serving:
    """Fake of building and serving, with preset results."""

    build: BuildStatus = field(default_factory=lambda: BUILT)
    seen_as: Seen | None = field(default_factory=lambda: Seen("ready", None))
    label: str = "neutral"
    ordered: list[BuildOrder] = field(default_factory=list)
    words: tuple[str, ...] = ()
    ended: list[UUID] = field(default_factory=list)

    def printed(self, serving_name: str) -> Sequence[str]:
        return self.words

    def start(self, order: BuildOrder) -> None:
        self.ordered.append(order)

    def status(self, submission_id: UUID) -> BuildStatus | None:
        return self.build if self.ordered else None

    def remove(self, submission_id: UUID, files: Sequence[str], serving_name: str | None) -> None:
        self.ended.append(submission_id)

    def seen(self, name: str) -> Seen | None:
        return self.seen_as

    def ask_for(self, name: str) -> None:
        """Note nothing."""

    def predict(
        self, name: str, instances: Sequence[Mapping[str, str]], wait_seconds: int
    ) -> tuple[int, Mapping[str, Any]]:
        shares = {label: float(label == self.label) for label in hostile.LABELS}
        answer = {"label": self.label, "probabilities": shares}
        return 200, {
            "predictions": [answer] * len(instances),
            "model_digest": DIGEST,
            "handler_digest": DIGEST,
        }


def look(submitter: Submitter, submission: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = submitter.get(f"/submissions/{submission['submission_id']}").get_json()
    return found


def step(submission: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in submission["steps"] if each["step"] == name)


def events(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        found = connection.execute(text("SELECT type FROM outbox ORDER BY id")).scalars()
        return [name.rsplit(".", 1)[1] for name in found]
