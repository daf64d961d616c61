"""Refusals of the checks: every hostile archive, and programs that do not start."""

from collections.abc import Callable

import pytest
from registry.domain.catalogue import Seen
from registry.service_layer.checks.runner import Checker

from tests import hostile_archives as hostile
from tests.hostile_handlers import handler

from .checked import Serving, look, step
from .submissions import Submitter, digest_of


@pytest.mark.long
def test_each_hostile_archive_stops_where_it_is_found(
    new_submitter: Callable[..., Submitter], checker: Checker
) -> None:
    archives = hostile.refused()
    for name, (content, code) in archives.items():
        if not content:
            continue  # refused before it is sent
        submitter = new_submitter()
        sent = submitter.submit(content, f"m-{digest_of(content)[7:15]}")
        checker.turn()
        found = look(submitter, sent)
        failed = step(found, found["step"])
        assert (found["state"], failed["state"], failed["fault"]) == ("refused", "failed", "yours"), name
        assert found["serving_name"] is None
        codes = {finding["code"] for finding in (found["scan"] or {"findings": []})["findings"]}
        assert code in codes, (name, failed)


def test_everything_that_keeps_an_archive_from_being_opened_is_told_at_once(
    submitter: Submitter, checker: Checker
) -> None:
    sent = submitter.submit(hostile.packed({"../above.txt": b"", "a b/con": b"", "fine.txt": b""}))
    assert checker.turn()
    found = look(submitter, sent)
    assert step(found, "opened")["reason"].startswith("../above.txt: ")
    assert [each["path"] for each in found["scan"]["findings"]] == ["../above.txt", "a b/con"]
    lines = submitter.get(f"/submissions/{sent['submission_id']}/log?step=opened").get_json()["lines"]
    assert [each["line"].partition(": ")[0] for each in lines] == ["refused", "refused"]


@pytest.mark.parametrize(
    ("reason", "fault", "told"),
    [
        ("its workers end while they load the model", "yours", "RuntimeError: it broke"),
        ("its workers run, but a probe fails: there is no pool here", "yours", "a probe fails"),
        ("it answers as ('there is no pool', 'x'), but its note says another", "yours", "it answers as"),
        ("archives with code can't be isolated here: no bwrap", "ours", "can't be isolated"),
        ("no worker was ready within 120 s: it waits for the platform: no room", "ours", "no room"),
        ("there is no pool sandboxed here", "ours", "there is no pool"),
    ],
)
def test_a_program_that_does_not_start_shows_what_it_printed(
    submitter: Submitter,
    owner: Submitter,
    checker: Checker,
    serving: Serving,
    reason: str,
    fault: str,
    told: str,
) -> None:
    sent = submitter.submit(hostile.packed(hostile.with_code(handler())))
    checker.turn()
    path = f"/submissions/{sent['submission_id']}"
    owner.post(f"{path}/decision", {"approve": True, "reason": "I read it."})
    serving.seen_as = Seen("failed", reason)
    serving.words = (
        "RuntimeError: 500 - Unknown exception",
        "Traceback (most recent call last):",
        "RuntimeError: it broke\x00",
        "token=abcdefgh",
    )
    checker.turn()
    found = look(submitter, sent)
    failed = step(found, "deployed")
    assert (found["state"], failed["fault"]) == ("refused", fault)
    assert told in failed["reason"]
    lines = [each["line"] for each in submitter.get(f"{path}/log").get_json()["lines"]]
    assert "│ RuntimeError: it broke\ufffd" in lines
    assert "│ token=…" in lines
