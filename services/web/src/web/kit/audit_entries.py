"""Entries of the audit log: the actor, the action on others' work, the time and the reason."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.accounts import AuditEntry
from dynabench_client.results.annotation import Round

from web.kit import isolation
from web.kit.language import N_, _
from web.kit.numbers import TimeView, moment, short_id
from web.kit.words import RUNNING_RESOLUTIONS

ACTIONS = {
    "round.opened": N_("opened the round"),
    "round.paused": N_("paused the round"),
    "round.closed": N_("closed the round"),
    "round.reopened": N_("opened the round again"),
    "round.targets_changed": N_("changed the models to fool"),
    "round.imported": N_("imported a round"),
    "round.released": N_("released the round"),
    "task.configured": N_("changed the configuration"),
    "example.adjudicated": N_("decided an example"),
    "example.adjudication_reversed": N_("reversed a decision"),
    "example.appealed": N_("appealed the decision on an example"),
    "example.answered": N_("wrote to the author of an example"),
    "example.hidden": N_("hid an example"),
    "example.shown": N_("showed an example again"),
    "example.kept": N_("kept a reported example"),
    "example.requeued": N_("sent an example back to checkers"),
    "person.roles_changed": N_("changed a person's roles"),
    "person.disabled": N_("disabled a person"),
    "member.added": N_("made a person a member"),
    "member.removed": N_("ended a membership"),
    "invitation.made": N_("made an invitation link"),
    "invitation.withdrawn": N_("withdrew an invitation link"),
    "group.let_in": N_("made the people of a group members"),
    "group.kept_out": N_("removed a group from a task"),
    "nickname.hidden": N_("hid a nickname"),
    "nickname.shown": N_("showed a nickname again"),
    "person.enabled": N_("enabled a person"),
    "person.deleted": N_("deleted the account"),
    "person.issuer_linked": N_("linked another account for signing in"),
    "person.issuer_unlinked": N_("removed another account for signing in"),
    "person.second_factor_on": N_("turned on a second factor"),
    "person.second_factor_off": N_("turned off a second factor"),
    "person.second_factor_reset": N_("reset a person's second factor"),
    "dead_letter.redriven": N_("retried an event"),
    "dead_letter.discarded": N_("discarded an event"),
    "task_request.made": N_("asked for the right to start a task"),
    "task_request.granted": N_("granted the right to start a task"),
    "task_request.refused": N_("refused a request to start a task"),
    "assignment.excluded": N_("excluded a paid person"),
    "assignment.no_concern": N_("found no concern about a paid person"),
    "assignment.appealed": N_("appealed an exclusion"),
    "work.assigned": N_("assigned work"),
    "work.withdrawn": N_("withdrew assigned work"),
    "validator.paused": N_("paused a checker"),
    "validator.reinstated": N_("ended a checker's pause"),
}
KINDS = {
    "round": N_("round %(id)s"),
    "example": N_("example %(id)s"),
    "vote": N_("vote %(id)s"),
    "validator": N_("checker %(id)s"),
    "person": N_("person %(id)s"),
    "group": N_("group %(id)s"),
    "invitation": N_("invitation %(id)s"),
    "dataset": N_("dataset %(id)s"),
}
PAGES = {"person": "/people", "dataset": "/datasets"}
DETAILS = {
    "activity": N_("activity"),
    "after": N_("after"),
    "before": N_("before"),
    "dataset_id": N_("dataset id"),
    "digest": N_("digest"),
    "examples": N_("examples"),
    "from": N_("from"),
    "issuer": N_("issuer"),
    "licence": N_("licence"),
    "origin": N_("origin"),
    "record_id": N_("record id"),
    "reports": N_("reports"),
    "resolution": N_("outcome"),
    "service": N_("service"),
    "source": N_("source"),
    "task": N_("task"),
    "targets": N_("models"),
    "to": N_("to"),
    "units": N_("number of texts"),
}
VALUES = {
    **RUNNING_RESOLUTIONS,
    "waiting": N_("waiting"),
    "imported": N_("imported"),
    "harvested": N_("harvested"),
    "create": N_("writing"),
    "validate": N_("checking"),
}


@dataclass(frozen=True)
class EntryRow:
    """An entry of the audit log; `address` leads to what it is about, where there is such a page."""

    who: str
    what: str
    action: str
    task_slug: str
    about: str
    address: str
    reason: str
    details: list[tuple[str, str]]
    at: TimeView | None


def entry_rows(found: Sequence[AuditEntry], rounds: Sequence[Round] = ()) -> list[EntryRow]:
    """Return the entries; `rounds` are those of the task, to name and link them."""
    by_id = {each.round_id: each for each in rounds}
    return [_row(entry, by_id.get(entry.round_id or "")) for entry in found]


def _row(entry: AuditEntry, found: Round | None) -> EntryRow:
    about, address = _about(entry, found)
    return EntryRow(
        who=_who(entry),
        what=_(ACTIONS[entry.action]) if entry.action in ACTIONS else entry.action,
        action=entry.action,
        task_slug=entry.task_slug,
        about=about,
        address=address,
        reason=entry.reason,
        details=[(_detail(name), _value(str(value))) for name, value in entry.details.items()],
        at=moment(entry.taken_at),
    )


def _who(entry: AuditEntry) -> str:
    if entry.actor_name or not entry.actor_id:
        return entry.actor_name or _("the platform")
    return _("Person %(id)s", id=short_id(entry.actor_id))


def _detail(name: str) -> str:
    return _(DETAILS[name]) if name in DETAILS else name.replace("_", " ")


def _value(text: str) -> str:
    return _(VALUES[text]) if text in VALUES else isolation.name(text)


def _about(entry: AuditEntry, found: Round | None) -> tuple[str, str]:
    """Return what an entry is about in words, and the address of its page."""
    task, named = f"/tasks/{entry.task_slug}", short_id(entry.object_id)
    name = _("Round %(number)s", number=found.number) if found else ""
    match entry.object_kind:
        case "round":
            return name or _named(entry), f"/rounds/{entry.object_id}"
        case "example" if found is not None:
            address = f"{task}/rounds/{found.number}/work/{entry.object_id}"
            return _("example %(id)s of %(round)s", id=named, round=name), address
        case "task":
            return entry.task_slug, task
        case "validator" | "person" if entry.task_slug:
            return _("checker %(id)s", id=named), f"{task}/validators"
        case "person" | "dataset":
            return _named(entry), f"{PAGES[entry.object_kind]}/{entry.object_id}"
    return _named(entry), ""


def _named(entry: AuditEntry) -> str:
    """Return what an entry is about by its kind and id."""
    named = short_id(entry.object_id)
    if entry.object_kind in KINDS:
        return _(KINDS[entry.object_kind], id=named)
    return f"{entry.object_kind} {named}".strip()
