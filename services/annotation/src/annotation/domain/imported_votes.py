"""Votes in an imported record, in the record's order."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from dynabench_events.example import ImportedVote
from dynabench_tasks.configuration.metadata import FLAG
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.values import to_text
from dynabench_tasks.vote_question import vote_question
from dynabench_tasks.votes import VoteKind

from annotation.domain.provenance import Pseudonyms
from annotation.domain.record_values import read_list, read_object, read_text

KEYS = ("label", "voter", "at", "reason")
UNSURE = "unsure"
MOST_VOTES = 100
LONGEST_NAME = 200
LONGEST_REASON = 500
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
"""Earliest accepted time of a vote. Placeholders for an unknown time, such as the years 1 and 1970, are earlier."""
CLOCKS_DIFFER = timedelta(days=1)
RFC_3339 = r"^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$"


class VoteReader:
    """Reads the votes of one task's records."""

    def __init__(self, configuration: TaskConfiguration, pseudonyms: Pseudonyms, now: datetime) -> None:
        self._latest = now + CLOCKS_DIFFER
        self._field = vote_question(configuration).field
        self._kind = VoteKind(configuration.validation.vote)
        self._pseudonyms = pseudonyms

    def read(self, given: object, author: str | None, texts: Mapping[str, str]) -> tuple[ImportedVote, ...]:
        """Return the votes on an example of this author. Raises InputRefused."""
        voters: dict[str, int] = {}
        votes = []
        for position, entry in enumerate(read_list(given, "votes", MOST_VOTES)):
            path = f"votes[{position}]"
            fields = read_object(entry, path, KEYS)
            voter = self._read_voter(fields, path, author)
            if voter is not None and voters.setdefault(voter, position) != position:
                reason = f"is the voter of votes[{voters[voter]}] again"
                raise InputRefused(f"{path}.voter", reason, "Keep one vote of each person.")
            votes.append(self._vote(fields, path, voter, texts))
        return tuple(votes)

    def _read_voter(self, fields: Mapping[str, object], path: str, author: str | None) -> str | None:
        if "voter" not in fields:
            return None
        voter = read_text(fields["voter"], f"{path}.voter", LONGEST_NAME)
        if voter == author:
            raise InputRefused(f"{path}.voter", "is the author", "Remove the author's vote.")
        return voter

    def _vote(
        self, fields: Mapping[str, object], path: str, voter: str | None, texts: Mapping[str, str]
    ) -> ImportedVote:
        kind, option = self._read_label(fields.get("label"), f"{path}.label", texts)
        reason = ""
        if "reason" in fields:
            if kind is not VoteKind.FLAG:
                raise InputRefused(f"{path}.reason", "stands beside a vote that is no flag", "Leave it out.")
            reason = read_text(fields["reason"], f"{path}.reason", LONGEST_REASON, may_be_blank=True)
        return ImportedVote(
            voter_id=None if voter is None else self._pseudonyms.person(voter),
            kind=kind,
            option=option,
            reason=reason,
            cast_at=self._read_time(fields["at"], f"{path}.at") if "at" in fields else None,
        )

    def _read_time(self, given: object, path: str) -> datetime:
        time = _read_time(given, path)
        if time < EARLIEST:
            raise InputRefused(
                path, f"is before {EARLIEST:%Y}", "Write when the vote was given, or leave it out."
            )
        if time > self._latest:
            raise InputRefused(path, "is in the future", "Write when the vote was given, or leave it out.")
        return time

    def _read_label(self, given: object, path: str, texts: Mapping[str, str]) -> tuple[VoteKind, str]:
        if given is None:
            raise InputRefused(path, "is missing", "Say what the vote was.")
        if isinstance(given, str) and given not in self._field.labels and given in (FLAG, UNSURE):
            return VoteKind(given), ""
        return self._kind, to_text(self._field.check(given, texts, path))


def _read_time(given: object, path: str) -> datetime:
    try:
        if isinstance(given, str) and re.match(RFC_3339, given, re.ASCII):
            return datetime.fromisoformat(given.upper()).astimezone(UTC)
    except (ValueError, OverflowError) as err:
        raise InputRefused(path, f"is no time: {err}", "Write it as in 2026-11-21T09:30:00Z.") from err
    raise InputRefused(path, "is no time of RFC 3339", "Write it as in 2026-11-21T09:30:00Z.")
