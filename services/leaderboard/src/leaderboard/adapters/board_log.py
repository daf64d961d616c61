"""The log that boards follow from."""

from collections.abc import Sequence
from typing import Any

from dynabench_common.events.brokers import connection
from dynabench_common.events.cloud_events import Decoder
from dynabench_common.events.replay import MOST_RECORDS, LogReader, Positions, Replayed, apply_records
from dynabench_events import message_types
from kafka import KafkaConsumer
from kafka.structs import OffsetAndMetadata
from sqlalchemy import Connection

from leaderboard.adapters.projection import HANDLED, TOPICS, BoardProjection
from leaderboard.adapters.read_models import CONSUMER, ReadModel
from leaderboard.adapters.tables import inbox

HAND_OVER_MILLISECONDS = 15_000


class BoardLog:
    """Three topics of Kafka, read from their beginning."""

    def __init__(
        self, bootstrap_servers: str, topic_prefix: str = "", most_records: int = MOST_RECORDS
    ) -> None:
        self._bootstrap_servers = bootstrap_servers
        self._topic_prefix = topic_prefix
        self._most_records = most_records
        self._decoder = Decoder(message_types(HANDLED))

    def open(self) -> LogReader:
        """Return a reader of it. Raises KafkaError once it is entered, or OSError, while no broker answers."""
        return LogReader(TOPICS, self._bootstrap_servers, self._topic_prefix, self._most_records)

    def apply(self, connection: Connection, read_model: ReadModel, records: Sequence[Any]) -> Replayed:
        """Take records into a read model whose tables the connection sees; tell how many were new, how many refused."""
        return apply_records(connection, inbox, CONSUMER, BoardProjection(read_model), self._decoder, records)

    def hand_over(self, read_model: ReadModel, positions: Positions) -> None:
        """Let the consumer group of a read model go on from these positions. Raises KafkaError."""
        group = KafkaConsumer(
            **connection(self._bootstrap_servers),
            group_id=self._topic_prefix + read_model.group,
            enable_auto_commit=False,
        )
        try:
            group.assign(list(positions))
            group.commit(
                {place: OffsetAndMetadata(position, "", -1) for place, position in positions.items()},
                timeout_ms=HAND_OVER_MILLISECONDS,
            )
        finally:
            group.close(autocommit=False)
