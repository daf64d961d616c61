"""The protocol `CrowdPlatform`, held by plain links, whose platform has no interface."""

import hashlib
import hmac
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest
from crowd.domain.platforms import EntryRefused, RejectionCategory

from tests.crowd_platforms.server import CrowdPlatforms

from .connections import WEBHOOK_SECRET, connect


def test_a_plain_link_recruits_and_pays_nobody_itself(server: CrowdPlatforms, tmp_path: Path) -> None:
    server.control("POST", "reset")
    connection = connect(server, tmp_path, "link")
    adapter = connection.adapter
    study_id = adapter.create_study(connection.study())
    for step in (adapter.publish, adapter.pause, adapter.publish, adapter.stop):
        step(study_id)
    adapter.set_places(study_id, 20)
    assert (adapter.pays, adapter.proves_people) == (False, False)
    assert not adapter.submissions(study_id)
    assert adapter.cost_minor(100, 5, "USD") == 500
    assert list(adapter.currencies) == ["USD", "EUR"]
    adapter.approve(study_id, ["a-1"])
    adapter.reject(study_id, "a-1", RejectionCategory.OTHER, "Not done.")
    assert server.control("GET", "calls") == []


def test_a_plain_link_takes_people_in_and_sends_them_back(server: CrowdPlatforms, tmp_path: Path) -> None:
    adapter = connect(server, tmp_path, "link").adapter
    parameters = {"participantId": "P-17", "assignmentId": "A-1"}
    entry = adapter.check_entry(parameters)
    assert (entry.worker_id, entry.submission_id, entry.is_proved) == ("P-17", "A-1", False)
    assert (
        adapter.back_url(entry.study_id, "A-1", "DONE1234", parameters) == f"{server.url}/back?code=DONE1234"
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"participantId": ""},
        {"participantId": "x" * 5_000, "assignmentId": "A-1"},
        {"assignmentId": "A-1"},
    ],
)
def test_a_plain_link_refuses_what_names_nobody(
    server: CrowdPlatforms, tmp_path: Path, parameters: dict[str, str]
) -> None:
    with pytest.raises(EntryRefused):
        connect(server, tmp_path, "link").adapter.check_entry(parameters)


def signed_link(**parameters: str) -> dict[str, str]:
    """Return the parameters of an entry with the signature that docs/platforms.md describes."""
    signed = urlencode(sorted(parameters.items()))
    return {
        **parameters,
        "signature": hmac.new(WEBHOOK_SECRET.encode(), signed.encode(), hashlib.sha256).hexdigest(),
    }


@pytest.mark.parametrize(
    ("case", "expires_in", "changes"),
    [
        ("genuine", 600, {}),
        ("old", -600, {}),
        ("of another worker", 600, {"person": "P-18"}),
        ("of another study", 600, {"campaign": "campaign-2"}),
        ("made to last", 600, {"until": "9999999999"}),
        ("unsigned", 600, {"signature": ""}),
        ("absurdly signed", 600, {"signature": "é" * 64}),
    ],
)
def test_a_signed_link_proves_its_worker_until_it_expires(
    server: CrowdPlatforms, tmp_path: Path, case: str, expires_in: int, changes: dict[str, str]
) -> None:
    adapter = connect(server, tmp_path, "pool").adapter
    until = str(int(time.time()) + expires_in)
    parameters = {**signed_link(person="P-17", campaign="campaign-1", until=until), **changes}
    if case == "genuine":
        entry = adapter.check_entry(parameters)
        assert (entry.study_id, entry.worker_id, entry.is_proved) == ("campaign-1", "P-17", True)
    else:
        with pytest.raises(EntryRefused):
            adapter.check_entry(parameters)


def test_a_plain_link_believes_no_notice(server: CrowdPlatforms, tmp_path: Path) -> None:
    with pytest.raises(EntryRefused):
        connect(server, tmp_path, "link").adapter.read_notice({}, b"{}")
