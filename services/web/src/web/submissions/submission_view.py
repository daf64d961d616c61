"""View of a submission: steps, failure with remedy, scan, and card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from dynabench_client.results.models import (
    LogLine,
    LoopRound,
    ModelCard,
    PublishedModel,
    Submission,
    SubmissionStep,
    Tombstone,
    WholeSubmission,
)
from markupsafe import Markup

from web.kit import isolation
from web.kit.language import _
from web.kit.markdown import render_markdown
from web.kit.numbers import (
    MISSING,
    TimeView,
    count,
    day_and_seconds,
    decimal,
    moment,
    seconds,
    size,
)
from web.kit.service_words import service_words
from web.kit.words import Word, language_words, round_state
from web.submissions.words import (
    CARD_FIELDS,
    EXPLAINED,
    FAULTS,
    KINDS,
    POOLS,
    card_field_words,
    state_word,
    step_state_word,
    step_words,
)

MINUTES_FROM = 120
FOLLOWED = ("https://", "http://")
READABLE = frozenset({"code", "text", "configuration", "description", "manifest", "our_handler", "other"})


@dataclass(frozen=True)
class StepView:
    """A check; after a failure also reason, fault and remedy."""

    name: str
    words: str
    explained: str
    state: Word
    took: str
    is_running: bool
    is_failed: bool
    fault: str
    reason: str
    remedy: str
    heartbeat: str
    samples: list[tuple[str, str]]


@dataclass(frozen=True)
class EntryView:
    """A file of an archive; `address` is the page of its text, if it is text."""

    path: str
    kind: str
    size: str
    address: str
    is_code: bool


@dataclass(frozen=True)
class FindingView:
    """Finding of the scan on the archive or on one of its files."""

    path: str
    reason: str
    remedy: str


@dataclass(frozen=True)
class CardView:
    """A model card, rendered and as values of its form."""

    html: Markup
    text: str
    licence: str
    contact: str
    languages: str
    languages_in_words: str
    parameters: str
    parameters_in_words: str
    trained_on: str
    trained_on_in_words: str
    paper: str
    paper_address: str
    missing: str


@dataclass(frozen=True)
class SubmissionRow:
    """A submission in a list."""

    address: str
    name: str
    task: str
    state: Word
    step: str
    begun: TimeView | None
    size: str


@dataclass(frozen=True)
class LoopRoundView:
    """A round that has the model as a target."""

    address: str
    name: str
    state: Word


@dataclass(frozen=True)
class TombstoneView:
    """Tombstone of a deleted submission."""

    deleted: TimeView | None
    by_owner: bool
    reason: str
    is_removed: bool


@dataclass(frozen=True)
class SubmissionView:
    """A submission in full, for its submitter and owners of its task."""

    found: WholeSubmission
    address: str
    name: str
    state: Word
    size: str
    kind: str
    begun: TimeView | None
    steps: list[StepView]
    runs_again_from: list[StepView]
    now: str
    findings: list[FindingView]
    entries: list[EntryView]
    card: CardView
    loop_rounds: list[LoopRoundView]
    tombstone: TombstoneView | None

    @property
    def is_moving(self) -> bool:
        """Return whether its checks are in progress."""
        return self.found.state == "checking"

    @property
    def has_card_form(self) -> bool:
        """Return whether the viewer may write its card."""
        return has_card_form(self.found)


def submission_row(found: Submission) -> SubmissionRow:
    """Return the list entry of a submission."""
    return SubmissionRow(
        address=f"/submissions/{found.submission_id}",
        name=_("%(model)s, version %(version)s", model=isolation.name(found.model), version=found.version),
        task=found.task,
        state=state_word(found.state),
        step=step_words(found.step),
        begun=moment(found.created_at),
        size=size(found.size),
    )


def submission_view(found: WholeSubmission, now: datetime) -> SubmissionView:
    """Return the view of a submission at a point in time."""
    address = f"/submissions/{found.submission_id}"
    scan: Mapping[str, Any] = found.scan or {}
    steps = [step_view(step, now) for step in found.steps]
    return SubmissionView(
        found=found,
        address=address,
        name=_("%(model)s, version %(version)s", model=isolation.name(found.model), version=found.version),
        state=state_word(found.state),
        size=size(found.size),
        kind=_(POOLS[found.pool]) if found.pool in POOLS else "",
        begun=moment(found.created_at),
        steps=steps,
        runs_again_from=_runs_again_from(found, steps),
        now=_now(found),
        findings=[
            FindingView(each["path"] or "", service_words(each["reason"]), service_words(each["remedy"]))
            for each in scan.get("findings", [])
        ],
        entries=[_entry(address, each) for each in scan.get("entries", [])],
        card=card_view(found.card),
        loop_rounds=[_loop_round(each) for each in found.in_the_loop],
        tombstone=tombstone_view(found.tombstone),
    )


def tombstone_view(found: Tombstone | None) -> TombstoneView | None:
    """Return the view of a tombstone; None if the submission is not deleted."""
    if found is None:
        return None
    return TombstoneView(
        deleted=moment(found.deleted_at),
        by_owner=found.deleted_as == "owner",
        reason=found.reason,
        is_removed=found.removed_at is not None,
    )


def _loop_round(found: LoopRound) -> LoopRoundView:
    name = _("A round of unknown number")
    if found.task is not None and found.number is not None:
        name = _("%(task)s, round %(number)s", task=isolation.name(found.task), number=found.number)
    return LoopRoundView(f"/rounds/{found.round_id}", name, round_state(found.state))


def step_view(step: SubmissionStep, now: datetime) -> StepView:
    """Return the view of a check."""
    is_running = step.state == "running"
    ended = step.ended_at or (now if is_running else None)
    beat = step.heartbeat_at
    return StepView(
        name=step.step,
        words=step_words(step.step),
        explained=_(EXPLAINED[step.step]) if step.step in EXPLAINED else "",
        state=step_state_word(step.state),
        took=_took(step.started_at, ended),
        is_running=is_running,
        is_failed=step.state == "failed",
        fault=_(FAULTS[step.fault]) if step.fault in FAULTS else "",
        reason=_reason_words(step.reason or ""),
        remedy=service_words(step.remedy or ""),
        heartbeat=seconds((now - beat).total_seconds()) if is_running and beat else "",
        samples=[(_sample(each.get("instance")), _sample(each.get("answer"))) for each in step.samples],
    )


def _reason_words(reason: str) -> str:
    """Return the reason of a failed check; a finding on a file begins with its path."""
    whole = service_words(reason)
    path, colon, finding = reason.partition(": ")
    return f"{path}: {service_words(finding)}" if colon and whole == reason else whole


def card_view(card: ModelCard) -> CardView:
    """Return the view of a card."""
    return CardView(
        html=render_markdown(card.text),
        text=card.text,
        licence=card.licence,
        contact=card.contact,
        languages=", ".join(card.languages),
        languages_in_words=language_words(card.languages) if card.languages else MISSING,
        parameters="" if card.parameters is None else str(card.parameters),
        parameters_in_words=MISSING if card.parameters is None else count(card.parameters),
        trained_on=", ".join(card.trained_on),
        trained_on_in_words=isolation.names(card.trained_on) or _("not stated"),
        paper=card.paper or "",
        paper_address=card.paper if card.paper and card.paper.startswith(FOLLOWED) else "",
        missing=card_field_words(card.missing),
    )


def model_name(found: PublishedModel) -> str:
    """Return the name of a submitted model with its version."""
    return _("%(model)s, version %(version)s", model=isolation.name(found.model), version=found.version)


def log_lines(lines: Sequence[LogLine]) -> list[str]:
    """Return lines of a log with their times."""
    return [f"{day_and_seconds(line.at)} {step_words(line.step)}: {line.line}" for line in lines]


def shown_fields(found: WholeSubmission) -> Mapping[str, Sequence[str]]:
    """Return the fields of each form on a submission's page."""
    reason = ("reason",)
    forms: list[tuple[str, bool, Sequence[str]]] = [
        ("card", has_card_form(found), tuple(CARD_FIELDS)),
        ("decision", found.may_decide, reason),
        ("withdrawal", found.may_withdraw, reason),
        ("retirement", found.may_retire, reason),
        ("deletion", found.may_delete, reason),
    ]
    return {name: fields for name, is_shown, fields in forms if is_shown}


def has_card_form(found: WholeSubmission) -> bool:
    """Return whether the viewer may write its card: the submitter, once the archive has arrived."""
    return found.mine and found.state not in {"draft", "cancelled", "deleted"}


def _runs_again_from(found: WholeSubmission, steps: Sequence[StepView]) -> list[StepView]:
    """Return the checks that can run again: from the checksum to the current one."""
    if not found.may_retry or found.state == "deployed":
        return []
    at = next((place for place, step in enumerate(steps) if step.name == found.step), 0)
    return list(steps[1 : at + 1])


def _now(found: WholeSubmission) -> str:
    """Return a sentence on the current state."""
    running = next((step for step in found.steps if step.state in {"running", "held"}), None)
    if running is None:
        return _("Waiting in the queue.") if found.state == "checking" else ""
    if running.state == "held":
        return _("An owner of the task must approve the program.")
    return _("Now: %(step)s.", step=step_words(running.step))


def _took(start: datetime | None, end: datetime | None) -> str:
    if start is None or end is None:
        return ""
    passed = max(0.0, (end - start).total_seconds())
    return seconds(passed) if passed >= MINUTES_FROM else _("%(number)s\u00a0s", number=decimal(passed))


def _sample(value: object) -> str:
    if isinstance(value, Mapping):
        parts = (Markup("{}: {}").format(isolation.name(key), _sample(each)) for key, each in value.items())
        return Markup("; ").join(parts)
    if isinstance(value, float):
        return decimal(value, 3)
    return isolation.name(str(value))


def _entry(address: str, entry: Mapping[str, Any]) -> EntryView:
    kind = str(entry["kind"])
    shown = f"{address}/entry?{urlencode({'path': entry['path']})}" if kind in READABLE else ""
    return EntryView(
        path=str(entry["path"]),
        kind=_(KINDS[kind]) if kind in KINDS else kind,
        size=size(int(entry["size"])),
        address=shown,
        is_code=kind in {"code", "pickle", "other"},
    )
