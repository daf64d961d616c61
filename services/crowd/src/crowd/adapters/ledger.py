"""The ledger: append-only entries of campaigns' money.

Each entry moves an amount from one account to another, so the sum over all accounts is zero. Entries about one amount
form a series: a bonus is owed, reversed, owed again. A cause is `<series>:<number>` and occurs once, so that a repeated
command adds nothing. Entries of an assignment are written under the lock of its row.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_api.words import AssignmentState, PaymentState
from dynabench_common.identifiers import new_id
from sqlalchemy import ColumnElement, Connection, Integer, Row, Select, cast, exists, func, select
from sqlalchemy.dialects.postgresql import distinct_on, insert

from crowd.adapters.ledger_tables import payment, posting
from crowd.adapters.tables import assignment, campaign, example
from crowd.domain.money import (
    OWE_BONUS,
    OWE_EXTRA,
    OWE_REWARD,
    PAY,
    RELEASE,
    RESERVE,
    REVERSE_REWARD,
    TAKE_FEE,
    Account,
    Covered,
    Move,
    PostingKind,
    fee_share,
    next_move,
)

SERIES = func.regexp_replace(posting.c.cause, ":[0-9]+$", "")
NUMBER = cast(func.substring(posting.c.cause, "[0-9]+$"), Integer)
EARNS_NOTHING = (AssignmentState.REJECTED, AssignmentState.RETURNED, AssignmentState.TIMED_OUT)
EARNING = (AssignmentState.WORKING, AssignmentState.SUBMITTED, AssignmentState.APPROVED)
"""States of an assignment that earn bonuses and top-ups; both are paid once it is approved."""
NOTHING = 0
"""The amount of a top-up that was never owed. One that was taken back has its own."""
OF_SERIES = (PostingKind.OWED, PostingKind.BONUS, PostingKind.REVERSED, PostingKind.LOSS)
"""Kinds of entries about one amount of one assignment."""


def series_of(cause: str) -> str:
    """Return the series that a cause belongs to, for example `bonus:<example id>`."""
    return cause.rpartition(":")[0]


def newest_entries(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Select the newest entry of each series: where its amount is now."""
    return (
        select(posting)
        .ext(distinct_on(SERIES))
        .where(posting.c.kind.in_(OF_SERIES), *conditions)
        .order_by(SERIES, NUMBER.desc())
    )


def is_newest() -> ColumnElement[bool]:
    """Match the newest entry of each series, which is cheaper than `newest_entries` for few entries."""
    later = posting.alias()
    follows = func.concat(SERIES, ":", NUMBER + 1)
    return ~exists().where(later.c.cause == follows)


@dataclass(frozen=True)
class Settled:
    """A payment with a known outcome; `causes` are those of the entries that it covers."""

    payment_id: UUID
    assignment_id: UUID
    amount_minor: int
    causes: Iterable[str]


class Ledger:
    """Writes entries and reads balances, in the caller's transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def reserve(self, campaign_id: UUID, amount_minor: int, currency: str, cause: str, at: datetime) -> None:
        """Reserve rewards and fees of a campaign's places."""
        self._post(RESERVE, amount_minor, currency, campaign_id, None, cause, at)

    def release_rest(self, campaign_id: UUID, at: datetime) -> None:
        """Return what is left of a campaign's reservation, less the fees of rewards that are not paid yet."""
        found = select(campaign).where(campaign.c.campaign_id == campaign_id)
        terms = self._connection.execute(found.with_for_update(key_share=True)).one()
        of_campaign = (posting.c.campaign_id == campaign_id, posting.c.kind == RELEASE.kind)
        releases = self._connection.execute(select(func.count()).where(*of_campaign)).scalar_one()
        cause = f"released:{campaign_id}:{releases + 1}"
        self._post(RELEASE, self._free(terms), terms.currency, campaign_id, None, cause, at)

    def follow_state(self, assignment_id: UUID, at: datetime) -> None:
        """Owe what an assignment's state earns, and take back what it does not earn."""
        terms = self._lock(assignment_id)
        if terms.state in EARNS_NOTHING:
            self._forgo_extras(terms, at)
        self._follow_reward(terms, at, is_due=terms.state == AssignmentState.APPROVED)
        is_due = terms.state == AssignmentState.SCREENED_OUT
        screen_out = f"screen_out:{assignment_id}"
        self._follow(terms, screen_out, OWE_EXTRA, terms.screen_out_minor, at, is_due=is_due)
        if terms.state in EARNING:
            self._follow(terms, f"top_up:{assignment_id}", OWE_EXTRA, NOTHING, at, is_due=True)

    def _follow_reward(self, terms: Row[Any], at: datetime, *, is_due: bool) -> None:
        """Owe a reward, or take it back.

        If nothing is reserved for it, it is reserved now: the platform may take work in that was late here, after
        another person took the place or the rest was released.
        """
        series = f"reward:{terms.assignment_id}"
        newest = self._newest(terms.assignment_id, series)
        if is_due and (newest is None or newest.to_account == OWE_REWARD.source):
            missing = terms.reward_minor + self._fee(terms) - self._free(terms)
            where = (terms.currency, terms.campaign_id, terms.assignment_id)
            cause = f"reserved:{terms.assignment_id}:{_next_number(newest)}"
            self._post(RESERVE, missing, *where, cause, at)
        self._follow(terms, series, OWE_REWARD, terms.reward_minor, at, is_due=is_due)

    def owe_top_up(self, assignment_id: UUID, amount_minor: int, at: datetime) -> None:
        """Owe an addition to the reward, once an assignment, if its state earns anything."""
        terms = self._lock(assignment_id)
        is_due = terms.state in EARNING
        self._follow(terms, f"top_up:{assignment_id}", OWE_EXTRA, amount_minor, at, is_due=is_due)

    def owe_bonus(self, assignment_id: UUID, example_id: UUID, at: datetime) -> None:
        """Owe the bonus of an example that is a validated error, if the assignment's state earns anything."""
        terms = self._lock(assignment_id)
        is_due = terms.state in EARNING
        self._follow(terms, f"bonus:{example_id}", OWE_BONUS, terms.bonus_minor, at, is_due=is_due)

    def reverse_bonus(self, assignment_id: UUID, example_id: UUID, at: datetime) -> None:
        """Take an example's bonus back if nobody has paid it; if somebody has, note it as a loss."""
        terms = self._lock(assignment_id)
        self._follow(terms, f"bonus:{example_id}", OWE_BONUS, terms.bonus_minor, at, is_due=False)

    def _forgo_extras(self, terms: Row[Any], at: datetime) -> None:
        """Take back everything that is owed to an assignment, but for its reward."""
        is_extra = ~posting.c.cause.startswith("reward:")
        extras = newest_entries(posting.c.assignment_id == terms.assignment_id, is_extra)
        for entry in self._connection.execute(extras).all():
            series = series_of(entry.cause)
            self._follow(terms, series, OWE_EXTRA, entry.amount_minor, at, is_due=False)

    def record_payment(self, settled: Settled, at: datetime, *, is_outside: bool = False) -> None:
        """Enter a payment that was made; with a reward, the platform's fee for its place.

        Outside the platform there is no fee, so what was reserved for it returns to the owner.
        """
        terms = self._lock(settled.assignment_id)
        where = (terms.currency, terms.campaign_id, settled.assignment_id)
        self._post(PAY, settled.amount_minor, *where, f"paid:{settled.payment_id}", at)
        if any(cause.startswith("reward:") for cause in settled.causes):
            move = RELEASE if is_outside else TAKE_FEE
            self._post(move, self._fee(terms), *where, f"fee:{settled.assignment_id}", at)

    def follow_resolutions(self, settled: Settled, at: datetime) -> None:
        """Reverse bonuses of a settled payment whose examples are no errors any more."""
        series = map(series_of, settled.causes)
        example_ids = [UUID(each.partition(":")[2]) for each in series if each.startswith("bonus:")]
        no_errors = select(example.c.example_id).where(
            example.c.example_id.in_(example_ids), ~example.c.is_error
        )
        for example_id in self._connection.execute(no_errors).scalars().all():
            self.reverse_bonus(settled.assignment_id, example_id, at)

    def balances(self, campaign_id: UUID) -> dict[Account, int]:
        """Return the balance of each account of a campaign. They add up to zero."""
        entries = posting.c
        balances = dict.fromkeys(Account, 0)
        moved = (
            select(entries.from_account, entries.to_account, func.sum(entries.amount_minor))
            .where(entries.campaign_id == campaign_id)
            .group_by(entries.from_account, entries.to_account)
        )
        for source, target, amount in self._connection.execute(moved):
            balances[Account(source)] -= int(amount)
            balances[Account(target)] += int(amount)
        return balances

    def _follow(
        self, terms: Row[Any], series: str, owe: Move, amount_minor: int, at: datetime, *, is_due: bool
    ) -> None:
        """Add the entry by which an amount follows its reason, if one is missing."""
        newest = self._newest(terms.assignment_id, series)
        account = owe.source if newest is None else Account(newest.to_account)
        move = next_move(owe, account, self._covered(terms.assignment_id, series), is_due=is_due)
        if move is not None:
            amount = amount_minor if newest is None else newest.amount_minor
            where = (terms.currency, terms.campaign_id, terms.assignment_id)
            self._post(move, amount, *where, f"{series}:{_next_number(newest)}", at)

    def _covered(self, assignment_id: UUID, series: str) -> Covered:
        payments = select(payment.c.causes, payment.c.state).where(
            payment.c.assignment_id == assignment_id, payment.c.state != PaymentState.REFUSED
        )
        for causes, state in self._connection.execute(payments):
            if series in map(series_of, causes):
                return Covered.PAID if state == PaymentState.PAID else Covered.UNSETTLED
        return Covered.NO

    def _lock(self, assignment_id: UUID) -> Row[Any]:
        """Return the terms of an assignment, whose other commands about money wait until this one ends."""
        terms = campaign.c
        return self._connection.execute(
            select(assignment.c.assignment_id, assignment.c.campaign_id, assignment.c.state)
            .add_columns(terms.currency, terms.places)
            .add_columns(terms.reward_minor, terms.screen_out_minor, terms.bonus_minor)
            .join(campaign, terms.campaign_id == assignment.c.campaign_id)
            .where(assignment.c.assignment_id == assignment_id)
            .with_for_update(of=assignment, key_share=True)
        ).one()

    def _newest(self, assignment_id: UUID, series: str) -> Row[Any] | None:
        """Return the newest entry of a series."""
        of_series = posting.c.cause.startswith(f"{series}:", autoescape=True)
        entries = newest_entries(posting.c.assignment_id == assignment_id, of_series)
        return self._connection.execute(entries).one_or_none()

    def _fee(self, terms: Row[Any]) -> int:
        """Return the platform's fee for one place."""
        of_places = (
            posting.c.campaign_id == terms.campaign_id,
            posting.c.kind == RESERVE.kind,
            posting.c.assignment_id.is_(None),
        )
        total = select(func.coalesce(func.sum(posting.c.amount_minor), 0)).where(*of_places)
        return fee_share(int(self._connection.execute(total).scalar_one()), terms.places, terms.reward_minor)

    def _free(self, terms: Row[Any]) -> int:
        """Return what is reserved, less the fees of rewards that are not paid yet."""
        is_fee = posting.c.cause.startswith("fee:")
        counts = [func.count().filter(each) for each in (_is(OWE_REWARD), _is(REVERSE_REWARD), is_fee)]
        counted = select(*counts).where(posting.c.campaign_id == terms.campaign_id)
        owed, reversed_, fees = map(int, self._connection.execute(counted).one())
        reserved = self.balances(terms.campaign_id)[Account.RESERVED]
        return reserved - self._fee(terms) * (owed - reversed_ - fees)

    def _post(
        self,
        move: Move,
        amount_minor: int,
        currency: str,
        campaign_id: UUID,
        assignment_id: UUID | None,
        cause: str,
        at: datetime,
    ) -> None:
        """Add an entry; one of nothing, or of a known cause, changes nothing."""
        if amount_minor <= 0:
            return
        entry = insert(posting).values(
            posting_id=new_id(),
            at=at,
            kind=move.kind,
            from_account=move.source,
            to_account=move.target,
            amount_minor=amount_minor,
            currency=currency,
            campaign_id=campaign_id,
            assignment_id=assignment_id,
            cause=cause,
        )
        self._connection.execute(entry.on_conflict_do_nothing(index_elements=[posting.c.cause]))


def _next_number(newest: Row[Any] | None) -> int:
    """Return the number of the next entry of a series."""
    return 1 if newest is None else int(newest.cause.rpartition(":")[2]) + 1


def _is(move: Move) -> ColumnElement[bool]:
    """Match the entries of a move."""
    entries = posting.c
    return (
        (entries.kind == move.kind)
        & (entries.from_account == move.source)
        & (entries.to_account == move.target)
    )
