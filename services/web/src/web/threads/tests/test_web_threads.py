"""The conversation about an example: both sides on one page, with the appeal in its place."""

import re
from html import unescape

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

QUESTION, ANSWER = "Why was it rejected?", "Two people read irony in it."
APPEAL = {"reason": "It is no irony.", "at": "2026-01-08T10:00:30Z", "answer": "You are right."}


@pytest.fixture
def address(ada: Visitor, fake: FakePlatform) -> str:
    """The conversation about a try of Ada's."""
    round_id = fake.loop.round_id
    context_id = fake.loop.contexts[0]["context_id"]
    form = {"input.text": "A great queue.", "input.label": "negative", "context_id": context_id}
    assert ada.post(f"/rounds/{round_id}/create", key="a" * 20, **form).status_code == 303
    (example_id,) = fake.loop.examples
    fake.owners.cases[example_id] = fake.loop.examples[example_id]
    return f"/examples/{example_id}/thread"


def say(visitor: Visitor, address: str, text: str) -> None:
    assert visitor.post(address, text=text).status_code == 303


def test_an_author_asks_and_reads_the_answer_and_the_appeal(
    ada: Visitor, fake: FakePlatform, address: str
) -> None:
    assert f'href="{address}"' in ada.get(f"/rounds/{fake.loop.round_id}/tries").text
    say(ada, address, QUESTION)
    fake.threads.appeal = APPEAL
    ada.post("/sign-out")
    ada.sign_in("olga")
    owners = unescape(ada.get(address).text)
    assert "The author" in owners
    assert QUESTION in owners
    assert not re.search(r"\bada\b", owners.split("<main")[1])
    say(ada, address, ANSWER)
    ada.post("/sign-out")
    ada.sign_in("ada")
    read = unescape(ada.get(address).text).split("<main")[1]
    assert [read.index(words) > 0 for words in (QUESTION, "Your appeal", "You are right.", ANSWER)]
    assert read.index(QUESTION) < read.index("It is no irony.") < read.index(ANSWER)
    assert "An owner of the task" in read


def test_an_empty_message_is_refused_in_its_form(ada: Visitor, address: str) -> None:
    page = ada.post(address, text=" ")
    assert page.status_code == 422
    assert 'aria-invalid="true"' in page.text


def test_who_waits_for_an_answer_writes_no_more(ada: Visitor, address: str) -> None:
    for _ in range(5):
        say(ada, address, QUESTION)
    assert "You can write again after an answer." in ada.get(address).text


def test_owners_come_from_the_case(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    case = next(iter(fake.owners.cases))
    page = visitor.get(f"/tasks/sentiment/rounds/3/work/{case}").text
    assert f'href="/examples/{case}/thread"' in page
    assert "Nobody has written yet." in visitor.get(f"/examples/{case}/thread").text


@pytest.mark.parametrize(
    ("text", "is_mentioned"),
    [
        ("@olga, why?", True),
        ("Please look, @OLGA!", True),
        ("@Queen of Quips helps.", True),
        ("olga", False),
        ("@olgas", False),
        ("me@olga", False),
        ("@author and @nobody 🙂", False),
    ],
)
def test_an_owner_is_mentioned_by_a_name(
    ada: Visitor, fake: FakePlatform, address: str, text: str, is_mentioned: bool
) -> None:
    olga = str(fake.people["olga"].person_id)
    fake.desk.nicknames[olga] = "Queen of Quips"
    page = unescape(ada.get(address).text)
    assert "Owners of the task:" in page
    assert "Queen of Quips" in page
    say(ada, address, text)
    assert fake.threads.mentioned == [olga] * is_mentioned


def test_without_the_owners_names_the_conversation_stays(
    ada: Visitor, fake: FakePlatform, address: str
) -> None:
    fake.fail("GET", "/api/accounts/v1/tasks/sentiment/owners", 503, times=9)
    page = ada.get(address)
    assert (page.status_code, "Owners of the task:" in page.text) == (200, False)
    say(ada, address, "@olga?")
