"""One's own data as a file, and the deletion of one's account; in a browser: test_web_browser_my_data.py."""

import io
import json
import zipfile

from web_fake_access import CODE
from web_fake_platform import FakePlatform
from web_visiting import Visitor

FILES = {
    *("accounts.jsonl", "annotation.jsonl", "crowd.jsonl", "leaderboard.jsonl", "registry.jsonl"),
    *("scoring.jsonl", "validation.jsonl", "examples-and-votes.jsonl", "counts.json"),
}


def test_the_file_has_a_part_of_each_service(ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.get("/account/data")
    assert answer.headers["Content-Disposition"] == "attachment; filename=my-data.zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        assert set(packed.namelist()) == FILES
        parts = [packed.read(name) for name in FILES if name != "counts.json"]
        counts = json.loads(packed.read("counts.json"))
    assert all(str(fake.people["ada"].person_id).encode() in each for each in parts)
    assert set(counts) == {"rounds", "badges"}


def test_a_service_that_does_not_answer_makes_no_file_with_a_gap(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "validation/v1/people/me/data$", 503, times=9)
    assert ada.get("/account/data").status_code == 503


def test_a_refused_deletion_keeps_the_choice(ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.post("/account/deletion", current_password="wrong", withdraw="1")
    assert (answer.status_code, 'name="withdraw" value="1" checked' in answer.text) == (422, True)
    assert not fake.desk.access.deleted


def test_a_deletion_asks_for_what_the_person_has(ada: Visitor, fake: FakePlatform) -> None:
    page = ada.get("/account/deletion").text
    assert ('name="current_password"' in page, 'name="code"' in page) == (True, False)
    fake.desk.access.without_password.add("ada")
    fake.desk.access.factors.add("ada")
    page = ada.get("/account/deletion").text
    assert ('name="current_password"' in page, 'name="code"' in page) == (False, True)
    answer = ada.post("/account/deletion", code=CODE)
    assert "Your account is deleted." in ada.get(answer.headers["Location"]).text
    assert fake.desk.access.deleted == {"ada": False}
    assert "Sign in</a>" in ada.get("/").text
