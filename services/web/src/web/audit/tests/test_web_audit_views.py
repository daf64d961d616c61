"""Entries of the audit log in print."""

import web_fake_standing as figures
from dynabench_client.results.accounts import AuditEntry
from dynabench_client.results.annotation import Round
from web.kit.audit_entries import entry_rows
from web.kit.isolation import name


def test_entries_lead_to_what_they_are_about() -> None:
    entries = [AuditEntry.blank(**each) for each in figures.audit_entries("r")]
    rows = entry_rows(entries, [Round.blank(round_id="r", task_slug="sentiment", number=3)])
    assert [row.about for row in rows] == [
        "Round 3",
        "Round 3",
        "example b7e1f200 of Round 3",
        "checker c0ffee00",
    ]
    assert rows[2].address.startswith("/tasks/sentiment/rounds/3/work/")
    assert rows[1].details == [("models", name("sentiment-minilm, n-gram-b"))]
    unknown = AuditEntry.blank(entry_id="x", action="moon.risen", object_kind="moon", object_id="1")
    row = entry_rows([unknown])[0]
    assert (row.who, row.what, row.about, row.address) == ("the platform", "moon.risen", "moon 1", "")
