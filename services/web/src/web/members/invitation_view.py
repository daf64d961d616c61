"""View of invitations: how often each was used, and its state."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from dynabench_client.results.accounts import Invitation

from web.kit.language import N_, _
from web.kit.numbers import TimeView, moment
from web.kit.words import Word

WORKS = Word(N_("works"), "✓", "correct")
WITHDRAWN = Word(N_("withdrawn"), "×", "rejected")
EXPIRED = Word(N_("expired"), "×", "rejected")
USED_UP = Word(N_("used up"), "×", "rejected")


@dataclass(frozen=True)
class InvitationRow:
    """An invitation; `works` if it still lets people in."""

    invitation_id: str
    made_at: TimeView | None
    expires_at: TimeView | None
    uses: str
    state: Word
    works: bool


def invitation_rows(found: Iterable[Invitation]) -> list[InvitationRow]:
    """Return the invitations, newest first."""
    return [_row(each, _state(each, datetime.now(UTC))) for each in found]


def _state(found: Invitation, now: datetime) -> Word:
    if found.withdrawn_at is not None:
        return WITHDRAWN
    if now >= found.expires_at:
        return EXPIRED
    return USED_UP if found.uses >= found.most_uses else WORKS


def _row(found: Invitation, state: Word) -> InvitationRow:
    return InvitationRow(
        invitation_id=found.invitation_id,
        made_at=moment(found.made_at),
        expires_at=moment(found.expires_at),
        uses=_("%(uses)s of %(most)s", uses=found.uses, most=found.most_uses),
        state=replace(state, text=_(state.text)),
        works=state is WORKS,
    )
