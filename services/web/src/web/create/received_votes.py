"""Votes on the person's own example with reasons, the owner's decision and the appeal; never the voters' names."""

from dataclasses import dataclass

from dynabench_client.results.annotation import Example
from dynabench_client.results.validation import CastVote, ExampleVotes
from dynabench_tasks.values import Value

from web.kit import fields
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue
from web.kit.language import N_, _
from web.kit.public_examples import example_address
from web.kit.votes import AppealView, DecidedView, appeal_view, decided_view, own_answer, shown_claim

SAID = {"flag": N_("flagged it"), "unsure": N_("was unsure")}
AGREED = {
    True: N_("agreed with you after seeing your answer"),
    False: N_("did not agree after seeing your answer"),
}
FINAL = "released"


@dataclass(frozen=True)
class ReceivedVote:
    """One person's answer, without the person."""

    said: ShownValue | None
    said_words: str
    reason: str
    metadata: list[ShownValue]
    after: str
    corrected: ShownValue | None
    why: str
    note: str


@dataclass(frozen=True)
class ReceivedVotes:
    """All votes and decisions on an example, whether its author may appeal, and its public page ("" without one)."""

    votes: list[ReceivedVote]
    decision: DecidedView | None
    appeal: AppealView | None
    can_appeal: bool
    public_page: str


def received_votes(
    found: ExampleVotes | None, example: Example, rules: TaskRules, round_state: str
) -> ReceivedVotes | None:
    """Return the votes and decisions on an example; None if they can't be read."""
    if found is None:
        return None
    is_kept = example.retracted_at is None and not example.is_duplicate
    is_confirmed = is_kept and example.verdict == "fooled" and found.resolution == "correct"
    is_against = found.resolution not in {None, "correct"}
    return ReceivedVotes(
        votes=[_vote(cast, rules) for cast in found.items],
        decision=decided_view(found.adjudication),
        appeal=appeal_view(found.appeal),
        can_appeal=is_against
        and found.appeal is None
        and example.retracted_at is None
        and round_state != FINAL,
        public_page=example_address(example.example_id)
        if is_confirmed and rules.makes_public(round_state)
        else "",
    )


def _vote(cast: CastVote, rules: TaskRules) -> ReceivedVote:
    said = own_answer(cast.kind, _value(cast, rules), rules)
    asked = [each.field for each in rules.validate_metadata]
    return ReceivedVote(
        said=said,
        said_words=_(SAID[cast.kind]) if cast.kind in SAID else "" if said else cast.option,
        reason=cast.reason,
        metadata=fields.show_all(asked, cast.metadata),
        after="" if cast.agrees is None else _(AGREED[cast.agrees]),
        corrected=shown_claim(cast.corrected, rules),
        why=cast.explanation or "",
        note=_note(cast),
    )


def _value(cast: CastVote, rules: TaskRules) -> Value | None:
    """Return the answer of a value text; the text itself if it is not one."""
    if cast.kind != "label" or rules.claimed is None or not cast.option:
        return cast.option or None
    return rules.claimed.value_of(cast.option)


def _note(cast: CastVote) -> str:
    if cast.set_aside:
        return _("not counted: the owner asked for new votes")
    if cast.counted or cast.kind == "unsure":
        return ""
    return _("recorded, but not counted")
