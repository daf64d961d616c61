"""The list of platforms: where it comes from, and what is wrong with it."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from crowd.adapters.platforms import build_platforms
from dynabench_common.settings import SettingsError

PROLIFIC = {
    "name": "prolific",
    "kind": "prolific",
    "title": "Prolific",
    "token_file": "token",
    "currency": "GBP",
}
MTURK = {"name": "mturk", "kind": "mturk", "title": "Mechanical Turk", "sandbox": True}
LINK = {
    "name": "sona",
    "kind": "link",
    "title": "SONA",
    "currencies": ["USD"],
    "parameters": {"worker": "id"},
}


def written(folder: Path, listed: Any) -> str:
    (folder / "token").write_text("secret-token")
    (folder / "empty").write_text("\n")
    file = folder / "platforms.json"
    file.write_text(json.dumps(listed))
    return str(file)


def test_platforms_come_from_a_file_or_a_text_by_name(tmp_path: Path) -> None:
    assert list(build_platforms(written(tmp_path, [PROLIFIC, MTURK, LINK]))) == ["prolific", "mturk", "sona"]
    assert list(build_platforms(json.dumps([LINK]))) == ["sona"]
    assert build_platforms(" ") == {}


@pytest.mark.parametrize(
    ("rule", "listed", "text"),
    [
        ("an unknown kind", [{**LINK, "kind": "post"}], r"platform 1 \(sona\), kind: .*'post'.*'link'"),
        ("no kind", [{"name": "x"}], r"platform 1 \(x\), kind"),
        ("no list", {"name": "x"}, "list"),
        ("a missing field", [LINK, {**MTURK, "sandbox": None}], r"platform 2 \(mturk\), sandbox"),
        ("an unknown field", [{**PROLIFIC, "token": "t0p"}], r"platform 1 \(prolific\), token: Extra"),
        (
            "a missing file",
            [{**PROLIFIC, "token_file": "gone"}],
            r"token_file: can't be read .* Write the secret",
        ),
        ("an empty file", [{**PROLIFIC, "token_file": "empty"}], "token_file: is empty"),
        ("no currency code", [{**PROLIFIC, "currency": "pounds"}], "currency"),
        ("half a key", [{**MTURK, "access_key_id": "AK"}], "go together"),
        ("no currency", [{**LINK, "currencies": []}], "currencies"),
        ("the same name twice", [LINK, LINK], "name sona is given twice. Give each"),
        ("a name for no address", [{**LINK, "name": "Our Pool"}], "name"),
        ("a host to choose", [{**LINK, "return_address": "https://{id}.org/"}], "return_address: must begin"),
        ("an address of a script", [{**LINK, "return_address": "javascript:{code}"}], "return_address"),
        ("a brace alone", [{**LINK, "return_address": "https://a.org/{code"}], "brace"),
        ("no name in braces", [{**LINK, "return_address": "https://a.org/{}"}], "unusable name"),
        (
            "a signature without secret",
            [{**LINK, "parameters": {"worker": "id", "signature": "s"}}],
            "all four",
        ),
    ],
)
def test_an_unusable_list_is_explained(tmp_path: Path, rule: str, listed: Any, text: str) -> None:
    with pytest.raises(SettingsError, match=text) as refusal:
        build_platforms(written(tmp_path, listed))
    assert "CROWD_PLATFORMS" in str(refusal.value)
    assert "t0p" not in str(refusal.value)


@pytest.mark.parametrize(("setting", "text"), [("/gone.json", "can't be read"), ("[{", "no JSON")])
def test_an_unreadable_list_is_explained(setting: str, text: str) -> None:
    with pytest.raises(SettingsError, match=text):
        build_platforms(setting)


def test_the_clients_log_no_calls() -> None:
    build_platforms("")
    assert not logging.getLogger("botocore.endpoint").isEnabledFor(logging.DEBUG)
    assert not logging.getLogger("urllib3.connectionpool").isEnabledFor(logging.DEBUG)
