"""Who did what to others' work, when and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.accounts import AuditEntry
from dynabench_client.results.annotation import Round

from web.kit.numbers import TimeView, moment, short_id

ACTIONS = {
    "round.opened": "opened the round",
    "round.paused": "paused the round",
    "round.closed": "closed the round",
    "round.reopened": "opened the round again",
    "round.targets_changed": "changed the targets",
    "round.imported": "brought in a round",
    "round.released": "released the round",
    "task.configured": "changed the configuration",
    "example.adjudicated": "decided an example",
    "example.adjudication_reversed": "took a decision back",
    "example.appealed": "appealed about an example",
    "example.requeued": "asked people anew about an example",
    "person.roles_changed": "changed a person's roles",
    "validator.paused": "paused a validator",
    "validator.reinstated": "let a validator vote again",
}
PLATFORM = "the platform"


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
        who=entry.actor_name or (f"Person {short_id(entry.actor_id)}" if entry.actor_id else PLATFORM),
        what=ACTIONS.get(entry.action, entry.action),
        action=entry.action,
        task_slug=entry.task_slug,
        about=about,
        address=address,
        reason=entry.reason,
        details=[(name.replace("_", " "), str(value)) for name, value in entry.details.items()],
        at=moment(entry.taken_at),
    )


def _about(entry: AuditEntry, found: Round | None) -> tuple[str, str]:
    """Return what an entry is about in words, and the address of its page."""
    task = f"/tasks/{entry.task_slug}"
    name = f"Round {found.number}" if found else ""
    match entry.object_kind:
        case "round":
            return name or f"round {short_id(entry.object_id)}", f"/rounds/{entry.object_id}"
        case "example" if found is not None:
            address = f"{task}/rounds/{found.number}/work/{entry.object_id}"
            return f"example {short_id(entry.object_id)} of {name}", address
        case "task":
            return entry.task_slug, task
        case "validator" | "person" if entry.task_slug:
            return f"voter {short_id(entry.object_id)}", f"{task}/validators"
        case "dataset":
            return f"dataset {short_id(entry.object_id)}", f"/datasets/{entry.object_id}"
    return f"{entry.object_kind} {short_id(entry.object_id)}".strip(), ""
