"""Report a public example, hide an example, show it again, or keep a reported one."""

from dataclasses import dataclass
from uuid import UUID

from scoring.domain.errors import PublicExampleUnknown, TooManyReports
from scoring.domain.moderation import MOST_REPORTS, WITHIN, Decision, ModeratedExample, Outcome, Report
from scoring.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class ReportExample:
    """A person finds that an example should not be public."""

    example_id: UUID
    person_id: UUID
    reason: str


@dataclass(frozen=True)
class Moderate:
    """An owner of the task, or with `by_author` the author, decides about an example."""

    about: ModeratedExample
    person_id: UUID
    by_author: bool = False
    reason: str = ""


def report_example(command: ReportExample, app: Dependencies) -> Report:
    """Store the report, or the new reason of the person's open one. Raises PublicExampleUnknown, TooManyReports."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        kept = uow.moderation
        kept.lock(command.person_id)
        about = kept.example(command.example_id)
        if not kept.is_public(command.example_id):
            raise PublicExampleUnknown
        report = kept.replace_report(command.example_id, command.person_id, command.reason)
        if report is None:
            made = kept.reported_since(command.person_id, now - WITHIN)
            if len(made) >= MOST_REPORTS:
                raise TooManyReports(max(1, int((made[0] + WITHIN - now).total_seconds())))
            report = Report(command.example_id, command.reason, now)
            kept.add_report(about, command.person_id, report)
        uow.commit()
        return report


def hide_example(command: Moderate, app: Dependencies) -> Outcome:
    """Hide an example. An owner's decision closes its reports; an author's does not, as they could undo it."""
    about, person_id, reason, now = command.about, command.person_id, command.reason, app.clock.now()
    with app.unit_of_work() as uow:
        kept, closed = uow.moderation, 0
        is_new = kept.hide(about, person_id, reason, now, by_author=command.by_author)
        if not command.by_author:
            closed = kept.close_reports(about.example_id, Decision.HIDDEN, person_id, reason, now)
            if is_new or closed:
                kept.audit("example.hidden", about, person_id, reason, now, closed)
        uow.commit()
        return Outcome(about.example_id, True, closed)


def show_example(command: Moderate, app: Dependencies) -> Outcome:
    """End the author's or the owners' hiding of an example; the other's stays."""
    about = command.about
    with app.unit_of_work() as uow:
        kept = uow.moderation
        if kept.show(about.example_id, by_author=command.by_author) and not command.by_author:
            kept.audit("example.shown", about, command.person_id, command.reason, app.clock.now())
        is_hidden = kept.is_hidden(about.example_id)
        uow.commit()
        return Outcome(about.example_id, is_hidden)


def keep_example(command: Moderate, app: Dependencies) -> Outcome:
    """Close the reports about an example that an owner finds fit."""
    about, person_id, reason, now = command.about, command.person_id, command.reason, app.clock.now()
    with app.unit_of_work() as uow:
        kept = uow.moderation
        closed = kept.close_reports(about.example_id, Decision.KEPT, person_id, reason, now)
        if closed:
            kept.audit("example.kept", about, person_id, reason, now, closed)
        is_hidden = kept.is_hidden(about.example_id)
        uow.commit()
        return Outcome(about.example_id, is_hidden, closed)
