"""Plain links: parameters, signatures, and the address back."""

import hashlib
import hmac
import json
import time
from pathlib import Path
from typing import Any

import pytest
from crowd.adapters.platforms import build_platforms
from crowd.adapters.platforms.plain_link import PlainLink
from crowd.domain.platforms import Entry, EntryOver, EntryRefused, Payment, Refused

SONA = {
    "parameters": {"worker": "survey_code"},
    "return_address": "https://school.sona-systems.com/webstudy_credit.aspx?experiment_id=7&survey_code={survey_code}",
}
CONNECT = {
    "parameters": {"worker": "participantId", "session": "assignmentId"},
    "return_address": "https://connect.cloudresearch.com/participant/project/{projectId}/complete?code={code}",
}
SIGNED = {
    "parameters": {"worker": "w", "study": "campaign", "expires": "until", "signature": "sig"},
    "secret_file": "secret",
}


def link(folder: Path, **given: Any) -> PlainLink:
    (folder / "secret").write_text("pool secret")
    listed = {"name": "pool", "kind": "link", "title": "Our pool", "currencies": ["EUR"], **given}
    file = folder / "platforms.json"
    file.write_text(json.dumps([listed]))
    platform = build_platforms(str(file))["pool"]
    assert isinstance(platform, PlainLink)
    return platform


def test_the_worker_stands_for_a_session_that_is_not_named(tmp_path: Path) -> None:
    sona = link(tmp_path, **SONA)
    assert sona.check_entry({"survey_code": "8123"}) == Entry("", "8123", "8123", is_proved=False)
    assert not sona.proves_people
    assert not sona.pays


def test_the_address_back_holds_the_code_and_parameters_of_the_entry(tmp_path: Path) -> None:
    connect = link(tmp_path, **CONNECT)
    parameters = {"participantId": "p", "assignmentId": "a", "projectId": "x/../../y?z"}
    assert connect.check_entry(parameters) == Entry("", "p", "a", is_proved=False)
    assert connect.back_url("", "a", "A&B", parameters) == (
        "https://connect.cloudresearch.com/participant/project/x%2F..%2F..%2Fy%3Fz/complete?code=A%26B"
    )
    assert link(tmp_path, parameters={"worker": "id"}).back_url("", "a", "A", {}) is None


@pytest.mark.parametrize(
    ("rule", "parameters", "text"),
    [
        ("no worker", {"assignmentId": "a", "projectId": "x"}, "participantId"),
        ("an empty session", {"participantId": "p", "assignmentId": "", "projectId": "x"}, "assignmentId"),
        ("no parameter of the address back", {"participantId": "p", "assignmentId": "a"}, "projectId"),
        ("5,000 characters", {"participantId": "p" * 5000, "assignmentId": "a", "projectId": "x"}, "longer"),
        (
            "a right-to-left mark",
            {"participantId": "p\u200f", "assignmentId": "a", "projectId": "x"},
            "unreadable",
        ),
        ("a zero byte", {"participantId": "p\0", "assignmentId": "a", "projectId": "x"}, "unreadable"),
    ],
)
def test_an_unusable_entry_is_refused(
    tmp_path: Path, rule: str, parameters: dict[str, str], text: str
) -> None:
    with pytest.raises(EntryRefused, match=text):
        link(tmp_path, **CONNECT).check_entry(parameters)


def signed(secret: bytes = b"pool secret", until: int = 60, **changed: str) -> dict[str, str]:
    expires = str(int(time.time()) + until)
    text = f"campaign=0197&until={expires}&w=%C3%A9+1"
    digest = hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()
    return {"w": "é 1", "campaign": "0197", "until": expires, "sig": digest, **changed}


def test_a_signed_link_proves_the_person_for_one_campaign(tmp_path: Path) -> None:
    pool = link(tmp_path, **SIGNED)
    assert pool.proves_people
    assert pool.check_entry(signed()) == Entry("0197", "é 1", "é 1", is_proved=True)


@pytest.mark.parametrize(
    ("rule", "parameters"),
    [
        ("signed with another secret", signed(secret=b"other")),
        ("for another person", signed(w="2")),
        ("for another campaign", signed(campaign="0198")),
        ("with a later expiry", {**signed(until=-60), "until": "99999999999"}),
        ("expired", signed(until=-1)),
        ("unsigned", signed(sig="")),
        ("with letters for a signature", signed(sig="é")),
    ],
)
def test_a_forged_or_expired_link_is_refused(tmp_path: Path, rule: str, parameters: dict[str, str]) -> None:
    with pytest.raises(EntryRefused):
        link(tmp_path, **SIGNED).check_entry(parameters)


def test_an_expired_link_still_names_its_person(tmp_path: Path) -> None:
    with pytest.raises(EntryOver) as over:
        link(tmp_path, **SIGNED).check_entry(signed(until=-1))
    assert over.value.entry == Entry("0197", "é 1", "é 1", is_proved=True)
    with pytest.raises(EntryRefused) as forged:
        link(tmp_path, **SIGNED).check_entry(signed(until=-1, w="2"))
    assert not isinstance(forged.value, EntryOver)


def test_the_owner_recruits_and_pays_by_hand(tmp_path: Path) -> None:
    pool = link(tmp_path, **SONA)
    payment = Payment("p1", "c", "8123", "8123", 30, "EUR", "Thanks")
    assert pool.find_study("c") == "c"
    assert pool.cost_minor(150, 12, "EUR") == 1800
    assert pool.submissions("c") == ()
    assert pool.bonuses("c", ["8123"]) == {}
    with pytest.raises(Refused, match="by hand"):
        pool.prepare([payment])
    with pytest.raises(Refused, match="by hand"):
        pool.pay("r", [payment])
    with pytest.raises(EntryRefused):
        pool.read_notice({}, b"{}")
