"""A batch of outbox rows in flight to the broker, with the acknowledged and the refused ones.

Many events of one aggregate travel at once. They share a partition, and an idempotent producer keeps their order. A
large event travels alone, so that a broker which refuses it has not accepted later ones of its aggregate. If a small
event fails after all, later acknowledged events of its aggregate count as unsent. They are sent again after it, under
the same ids. A broker refuses whole batches, so refused small events are `suspects` until they were refused alone.
"""

import struct
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from kafka.errors import (
    BrokerResponseError,
    InvalidRecordError,
    InvalidTimestampError,
    InvalidTopicError,
    MessageSizeTooLargeError,
    PolicyViolationError,
    RecordListTooLargeError,
    UnsupportedForMessageFormatError,
)
from sqlalchemy import Row

LARGE_BYTES = 64_000
ANSWER_TIMEOUT_SECONDS = 15
REFUSALS = (
    InvalidRecordError,
    InvalidTimestampError,
    InvalidTopicError,
    MessageSizeTooLargeError,
    PolicyViolationError,
    RecordListTooLargeError,
    UnsupportedForMessageFormatError,
    # Raised by the client itself for a record that it can't write.
    OverflowError,
    TypeError,
    ValueError,
    struct.error,
)
"""Errors about one record that no broker will ever accept."""

Send = Callable[[Row[Any]], Any]


@dataclass
class SendBatch:
    """Results of sent rows: the acknowledged ids in order, and each aggregate's first failed row."""

    send: Send
    suspects: AbstractSet[int] = frozenset()
    acknowledged: list[int] = field(default_factory=list)
    failed: list[tuple[Row[Any], Exception]] = field(default_factory=list)
    _blocked: set[tuple[str, object]] = field(default_factory=set)
    _underway: list[tuple[Row[Any], Any]] = field(default_factory=list)

    def carry(self, rows: Sequence[Row[Any]]) -> None:
        """Send rows in their order and wait for all answers."""
        for row in rows:
            goes_alone = len(row.payload) > LARGE_BYTES or row.id in self.suspects
            if goes_alone:
                self._settle()
            if _aggregate(row) in self._blocked:
                continue
            try:
                self._underway.append((row, self.send(row)))
            except Exception as err:
                self._settle()
                self._fail(row, err)
            if goes_alone:
                self._settle()
        self._settle()

    def _settle(self) -> None:
        for row, answer in self._underway:
            try:
                answer.get(timeout=ANSWER_TIMEOUT_SECONDS)
            except Exception as err:
                self._fail(row, err)
            else:
                if _aggregate(row) not in self._blocked:
                    self.acknowledged.append(row.id)
        self._underway.clear()

    def _fail(self, row: Row[Any], err: Exception) -> None:
        if _aggregate(row) not in self._blocked:
            self._blocked.add(_aggregate(row))
            self.failed.append((row, err))


def is_refusal(err: Exception) -> bool:
    """Return whether this record can never be sent, in contrast to an outage."""
    return isinstance(err, REFUSALS)


def may_be_innocent(row: Row[Any], err: Exception, suspects: AbstractSet[int]) -> bool:
    """Return whether others of the same batch may have caused a record's refusal."""
    return isinstance(err, BrokerResponseError) and row.id not in suspects and len(row.payload) <= LARGE_BYTES


def _aggregate(row: Row[Any]) -> tuple[str, object]:
    return row.topic, row.aggregate_id
