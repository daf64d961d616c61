"""Events about answers on known items. Published by validation, on a topic that scoring alone reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.known_item.v1 import known_item_pb2

from dynabench_events.codec import EventRecord, event
from dynabench_events.validation import VoteCast, VoteJudged


@event(known_item_pb2.KnownItemAnswered, of="example_id", at="changed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class KnownItemAnswered(EventRecord):
    """The state of a person's answer on a known item; it never counts as a vote. A later event replaces it.

    `example_id` is the id under which the person saw the item. `vote` is None where the answer was taken back.
    """

    example_id: UUID
    round_id: UUID
    task_slug: str
    context: Mapping[str, str]
    input: Mapping[str, str]
    vote: VoteCast | None
    judged: VoteJudged | None
    changed_at: datetime
