"""Nicknames on pages, public profiles, and the ranks of people."""

from uuid import UUID

from web_fake_platform import FakePlatform
from web_visiting import Visitor

FIRST = str(UUID(int=0xADA))


def test_the_ranks_are_of_this_week_or_of_all_time(visitor: Visitor) -> None:
    assert visitor.get("/ranks").text.count("Annotator 0") == 2
    assert visitor.get("/ranks?period=all").text.count("Annotator 0") == 3
    assert "No confirmed error yet" in visitor.get("/ranks?task=nli").text


def test_a_nickname_stands_on_boards_and_leads_to_a_profile(visitor: Visitor, fake: FakePlatform) -> None:
    fake.desk.nicknames[FIRST] = "Queen of Irony"
    for address in ("/ranks", "/tasks/sentiment/people"):
        page = visitor.get(address).text
        assert f'<a href="/profiles/{FIRST}">' in page
        assert "Queen of Irony" in page
    page = visitor.get(f"/profiles/{FIRST}").text
    for words in ("Queen of Irony", "Confirmed errors: 8", "2026-W05", "Fooled 5 times in a row"):
        assert words in page
    assert "Report this nickname" not in page


def test_who_chose_no_nickname_has_no_profile(visitor: Visitor) -> None:
    assert visitor.get(f"/profiles/{FIRST}").status_code == 404


def test_boards_stand_while_nicknames_are_away(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/nicknames", 500, times=9)
    assert "Annotator 00000ada" in visitor.get("/tasks/sentiment/people").text


def test_a_nickname_is_chosen_on_the_account(ada: Visitor, fake: FakePlatform) -> None:
    assert (
        ada.post("/account/nickname", nickname="Ada").headers["Location"] == "/account?notice=nickname-saved"
    )
    assert "See my public profile" in ada.get("/account").text
    fake.desk.nicknames[FIRST] = "Taken"
    refused = ada.post("/account/nickname", nickname="Taken")
    assert refused.status_code == 409
    assert "Another person has this nickname." in refused.text
    assert 'value="Taken"' in refused.text


def test_a_reported_nickname_waits_for_an_administrator(ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.nicknames[FIRST] = "Rude Word"
    assert ada.post(f"/profiles/{FIRST}/reports", reason="It is rude.").status_code == 303
    ada.post("/sign-out")
    ada.sign_in("olga")
    page = ada.get("/people").text
    assert "Rude Word" in page
    assert "It is rude." in page
    answer = ada.post(f"/people/{FIRST}/nickname", state="hidden", reason="Rude.")
    assert answer.headers["Location"] == "/people?notice=nickname-decided"
    assert "Reported nicknames" not in ada.get("/people").text
    assert ada.get(f"/profiles/{FIRST}").status_code == 404
    assert "Hidden nicknames" in ada.get("/people").text
    answer = ada.post(f"/people/{FIRST}/nickname", state="again", reason="It is a name.")
    assert answer.headers["Location"] == "/people?notice=nickname-shown"
    assert "Hidden nicknames" not in ada.get("/people").text
    assert ada.get(f"/profiles/{FIRST}").status_code == 200
