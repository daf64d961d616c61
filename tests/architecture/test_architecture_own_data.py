"""Every column that names a person belongs to the rows that the person can read, or the table says why not."""

import importlib
import re

import pytest
from accounts.adapters.traces_of_people import OWN as ACCOUNTS
from accounts.notifications.adapters.tables import OWN as NOTICES
from annotation.adapters.tables import OWN as ANNOTATION
from crowd.adapters.tables import OWN as CROWD
from evaluation.adapters.tables import OWN as EVALUATION
from leaderboard.adapters.shared_tables import OWN as LEADERBOARD
from registry.adapters.tables import OWN as REGISTRY
from scoring.adapters.tables import example_report
from sqlalchemy import Column
from validation.adapters.tables import OWN as VALIDATION

NAMES_A_PERSON = re.compile(r"(person|author|voter|writer|reporter|actor|holder|owner)_id|(?!is_|not_)\w+_by")
EXPORTED = "is in the export of examples and votes"
COPIED = "is a copy of facts that another service exports"
DECIDED = "names who decided something about others; the audit log has it"
CHECKS = "would show which items are known answers"
SHORT = "is deleted within a day"
PUBLIC = "is public, under the person's name or pseudonym"
COUNTS = "is counted from examples and votes; counts.json of the download has the person's counts"
REASONS = {
    "accounts": {
        **dict.fromkeys(("person.disabled_by", "notice_round.opened_by"), DECIDED),
        "role_change.person_id": "has no more than when the roles changed",
        "nickname_report.person_id": "is what others reported",
        **dict.fromkeys(("notice_participant.person_id", "notice_example.author_id"), COPIED),
    },
    "annotation": {
        "example.author_id": EXPORTED,
        "task.created_by": PUBLIC,
        "idempotency.person_id": SHORT,
    },
    "validation": {
        "vote.voter_id": EXPORTED,
        **dict.fromkeys(
            ("example.author_id", "example_validation.author_id", "assigned_checks.person_id"), COPIED
        ),
        **dict.fromkeys(("gold_item.author_id", "gold_showing.person_id", "validator.person_id"), CHECKS),
        **dict.fromkeys(("agreement_voter.voter_id", "voter_confusion.voter_id"), COUNTS),
        **dict.fromkeys(("one_author_voter.author_id", "one_author_voter.voter_id"), COUNTS),
        "example_validation.adjudicated_by": DECIDED,
        **dict.fromkeys(("idempotency.person_id", "lease.holder_id"), SHORT),
    },
    "scoring": {
        **dict.fromkeys(("example.author_id", "vote.voter_id"), EXPORTED),
        "author_count.author_id": COUNTS,
        "known_item_answer.voter_id": CHECKS,
        **dict.fromkeys(("example_report.closed_by", "hidden_example.hidden_by"), DECIDED),
        **dict.fromkeys(("dataset.released_by", "release.requested_by"), DECIDED),
    },
    "leaderboard": {
        **dict.fromkeys(("example.author_id", "vote.voter_id", "submission.submitted_by"), COPIED),
        **dict.fromkeys(("author_history.author_id", "group_author.author_id", "pursuit.author_id"), COUNTS),
        **dict.fromkeys(("person_tally.person_id", "person_try.person_id", "person_week.person_id"), COUNTS),
        "tally.author_id": COUNTS,
    },
    "registry": {
        "submission.approved_by": DECIDED,
        "submission.signed_by": "is the fingerprint of a key, in a row that is shown",
    },
    "crowd": {
        "campaign.created_by": DECIDED,
        **dict.fromkeys(("example.author_id", "vote.voter_id"), COPIED),
        "idempotency.person_id": SHORT,
    },
    "evaluation": {"evaluated_model.submitted_by": COPIED},
}
MODULES = {
    "accounts": ("accounts.adapters.tables", "accounts.notifications.adapters.tables", "accounts.mail.queue"),
    "annotation": ("annotation.adapters.tables",),
    "validation": (
        "validation.adapters.tables",
        "validation.adapters.gold_tables",
        "validation.adapters.agreement_tables",
    ),
    "scoring": ("scoring.adapters.tables",),
    "leaderboard": ("leaderboard.adapters.tables", "leaderboard.adapters.shared_tables"),
    "registry": ("registry.adapters.tables", "registry.adapters.serving_tables"),
    "crowd": ("crowd.adapters.tables", "crowd.adapters.ledger_tables"),
    "evaluation": ("evaluation.adapters.tables",),
}
SHOWN: dict[str, tuple[Column[object], ...]] = {
    "accounts": (*ACCOUNTS, *NOTICES),
    "annotation": ANNOTATION,
    "validation": VALIDATION,
    "scoring": (example_report.c.reported_by,),
    "leaderboard": LEADERBOARD,
    "registry": REGISTRY,
    "crowd": CROWD,
    "evaluation": EVALUATION,
}


@pytest.mark.parametrize("service", MODULES)
def test_every_column_that_names_a_person_is_shown_to_them_or_has_a_reason(service: str) -> None:
    for module in MODULES[service]:
        metadata = importlib.import_module(module).metadata
    naming = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if NAMES_A_PERSON.fullmatch(column.name)
    }
    shown = {f"{column.table.name}.{column.name}" for column in SHOWN[service]}
    assert shown | set(REASONS[service]) == naming
    assert not shown & set(REASONS[service])
