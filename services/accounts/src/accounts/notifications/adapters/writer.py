"""The notices of one batch of events: read once, changed in memory, written at the end."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id
from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from accounts.notifications.adapters.tables import notice, notice_position, notice_round, notice_task
from accounts.notifications.domain.example_facts import ExampleFacts
from accounts.notifications.domain.notices import ON_EXAMPLES, OPEN_FOR, Notice, NoticeKind, begin, is_news
from accounts.queries import recipients

COLUMNS = (
    *(notice.c.notice_id, notice.c.person_id, notice.c.kind, notice.c.round_id, notice.c.counts),
    *(notice.c.began_at, notice.c.happened_at, notice.c.read_at, notice.c.mailed_at),
)


class NoticeWriter:
    """Writes notices within a transaction; no other transaction writes notices meanwhile."""

    def __init__(self, connection: Connection, started_at: datetime, now: datetime) -> None:
        self._connection = connection
        self._started_at = started_at
        self.now = now

    def is_news(self, at: datetime) -> bool:
        """Return whether an event of that time still deserves a notice."""
        return is_news(at, self._started_at, self.now)

    def notify_authors(self, examples: Iterable[ExampleFacts]) -> None:
        """Notify authors of the outcomes of their examples; replaces earlier notices about them."""
        changed = [each for each in examples if _outcome(each) != each.last_notice]
        if not changed:
            return
        active = self.active({each.author_id for each in changed if each.author_id})
        notices = self._load(changed)
        taking_in = {
            (each.person_id, each.kind, each.round_id): each for each in notices.values() if each.is_open
        }
        for example in changed:
            earlier = notices.get(example.notice_id) if example.notice_id else None
            if earlier is not None and example.told_outcome is not None:
                earlier.take_back(example.told_outcome)
            example.told_kind, example.told_outcome = _outcome(example)
            example.notice_id = None
            due, author_id = example.due_notice(), example.author_id
            if due is None or author_id is None or author_id not in active or not self.is_news(due.at):
                continue
            key = author_id, due.kind, example.round_id
            found = taking_in.get(key)
            if found is None or not found.takes_in(due.at):
                found = taking_in[key] = begin(new_id(), author_id, example.round_id, due)
                notices[found.notice_id] = found
            else:
                found.add(due.outcome, due.at)
            example.notice_id = found.notice_id
        self._write(notices.values())

    def active(self, people: Iterable[UUID]) -> set[UUID]:
        """Return those of these people whose account is not disabled."""
        return recipients.among(self._connection, recipients.ACTIVE, people)

    def notify_validator(self, person_id: UUID, task_slug: str, outcome: str, at: datetime) -> None:
        """Notify a person whether they may vote in a task; replaces unread notices about that task."""
        if not self.is_news(at) or not self.active([person_id]):
            return
        unread = delete(notice).where(
            notice.c.person_id == person_id,
            notice.c.kind == NoticeKind.VALIDATING.value,
            notice.c.task_slug == task_slug,
            notice.c.read_at.is_(None),
        )
        self._connection.execute(unread)
        self.insert(
            notice_id=new_id(),
            person_id=person_id,
            kind=NoticeKind.VALIDATING.value,
            task_slug=task_slug,
            counts={outcome: 1},
            began_at=at,
            happened_at=at,
        )

    def notify_answered(self, author_id: UUID, round_id: UUID, at: datetime) -> None:
        """Notify an author of an owner's message; an unread notice of the round counts one more."""
        if not self.is_news(at) or not self.active([author_id]):
            return
        kind = NoticeKind.EXAMPLE_ANSWERED.value
        unread = select(notice.c.notice_id, notice.c.counts).where(
            notice.c.person_id == author_id,
            notice.c.kind == kind,
            notice.c.round_id == round_id,
            notice.c.read_at.is_(None),
        )
        known = self._connection.execute(unread).first()
        if known is not None:
            counts = {"answered": known.counts["answered"] + 1}
            self.raise_again(known.notice_id, counts=counts, happened_at=at)
            return
        self.insert(
            notice_id=new_id(),
            person_id=author_id,
            kind=kind,
            round_id=round_id,
            counts={"answered": 1},
            began_at=at,
            happened_at=at,
        )

    def notify_worker(
        self, person_id: UUID, round_id: UUID | None, counts: Mapping[str, int], at: datetime
    ) -> None:
        """Notify a person of assigned work: the number of texts by activity."""
        if not self.is_news(at) or not self.active([person_id]):
            return
        self.insert(
            notice_id=new_id(),
            person_id=person_id,
            kind=NoticeKind.WORK_ASSIGNED.value,
            round_id=round_id,
            counts=dict(counts),
            began_at=at,
            happened_at=at,
        )

    def notify_mentioned(
        self, people: Iterable[UUID], example_id: UUID, round_id: UUID, at: datetime
    ) -> None:
        """Notify those of the people who own the round's task of a mention in the conversation of an example."""
        slug = select(notice_task.c.slug).join(notice_round, notice_round.c.task_id == notice_task.c.task_id)
        task = self._connection.scalar(slug.where(notice_round.c.round_id == round_id))
        if task is None or not self.is_news(at):
            return
        for person_id in sorted(recipients.among(self._connection, recipients.owners(task), people)):
            self.insert(
                notice_id=new_id(),
                person_id=person_id,
                kind=NoticeKind.MENTIONED.value,
                round_id=round_id,
                example_id=example_id,
                counts={"mentioned": 1},
                began_at=at,
                happened_at=at,
            )

    def insert(self, **columns: Any) -> None:
        """Write a new notice at the top of its person's list."""
        values = {"position": notice_position.next_value(), "written_at": self.now, **columns}
        self._connection.execute(insert(notice).values(**values))

    def replace(self, notice_id: UUID, **columns: Any) -> None:
        """Write a changed notice where it stands."""
        self._connection.execute(update(notice).where(notice.c.notice_id == notice_id).values(**columns))

    def raise_again(self, notice_id: UUID, **columns: Any) -> None:
        """Write new contents of a notice, which moves to the top of the list, unread and not mailed."""
        self.replace(
            notice_id,
            position=notice_position.next_value(),
            written_at=self.now,
            read_at=None,
            mailed_at=None,
            **columns,
        )

    def remove(self, notice_ids: Sequence[UUID]) -> None:
        """Delete notices that say nothing any more."""
        if notice_ids:
            self._connection.execute(delete(notice).where(notice.c.notice_id.in_(notice_ids)))

    def _load(self, changed: Sequence[ExampleFacts]) -> dict[UUID, Notice]:
        """Return the notices that count these examples, and open notices of the same authors that can take in more."""
        moments = [due.at for each in changed if (due := each.due_notice())]
        takes_in_more = and_(
            notice.c.person_id.in_({each.author_id for each in changed if each.author_id}),
            notice.c.kind.in_([kind.value for kind in ON_EXAMPLES]),
            notice.c.read_at.is_(None),
            notice.c.mailed_at.is_(None),
            notice.c.began_at > min(moments, default=self.now) - OPEN_FOR,
        )
        counts_these = notice.c.notice_id.in_({each.notice_id for each in changed if each.notice_id})
        chosen = select(*COLUMNS).where(or_(counts_these, takes_in_more)).order_by(notice.c.position)
        return {row.notice_id: _notice(row._asdict()) for row in self._connection.execute(chosen)}

    def _write(self, notices: Iterable[Notice]) -> None:
        changed = [each for each in notices if each.is_changed or each.is_new]
        self.remove([each.notice_id for each in changed if not each.counts and not each.is_new])
        for each in changed:
            columns = {"counts": each.counts, "happened_at": each.happened_at}
            if each.is_new and each.counts:
                self.insert(
                    notice_id=each.notice_id,
                    person_id=each.person_id,
                    kind=each.kind.value,
                    round_id=each.round_id,
                    began_at=each.began_at,
                    **columns,
                )
            elif each.has_grown and each.counts:
                self.raise_again(each.notice_id, **columns)
            elif each.counts:
                self.replace(each.notice_id, **columns)


def _outcome(example: ExampleFacts) -> tuple[str | None, str | None]:
    due = example.due_notice()
    return (due.kind.value, due.outcome) if due else (None, None)


def _notice(row: Mapping[str, Any]) -> Notice:
    return Notice(**{**row, "kind": NoticeKind(row["kind"]), "counts": dict(row["counts"])})
