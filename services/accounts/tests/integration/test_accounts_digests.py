"""Mails with notices: one a day at most, nothing twice, none without something new; and how they end."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from accounts.domain.link import MOST_WITHIN_LIFE
from accounts.notifications.adapters.weekly_summaries import write_summaries
from accounts.notifications.service_layer.digests import DigestDependencies, write_due
from dynabench_common.testing import FixedClock
from sqlalchemy import Engine

from .conftest import PASSWORD, Api, Come, token_in
from .notice_story import Story, listed, of

WAIT, DAY = 3600.0, 24 * 3600.0
Digests = Callable[[], int]


@pytest.fixture
def digests(worker: DigestDependencies) -> Digests:
    """Return what writes the mails that are due, and returns how many they are."""
    return lambda: write_due(replace(worker, digest_wait=timedelta(seconds=WAIT)))


def confirmed(api: Api, mails: Come, name: str = "ada") -> Api:
    """Return a person whose mail address is confirmed."""
    person = api.new_person(name)
    assert person.call("POST", "/me/email-confirmation", {}).status_code == 202
    (link,) = mails()
    assert api.call("POST", "/email-confirmations", {"token": token_in(link)}).status_code == 200
    assert mails() == []
    return person


def news(story: Story, *people: Api, resolution: str = "correct") -> None:
    """Let votes decide an example of each of these."""
    round_id = story.open_round()
    examples = [story.written(round_id, of(each)) for each in people]
    story.tell(*examples, *(story.resolved(each, resolution) for each in examples))


def test_a_mail_comes_an_hour_after_the_first_news_and_tells_nothing_twice(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    ada = confirmed(api, mails)
    news(story, ada)
    assert digests() == 0
    clock.move(WAIT / 2)
    news(story, ada, resolution="disputed")
    clock.move(WAIT / 2)
    assert digests() == 1
    assert digests() == 0
    (mail,) = mails()
    assert (mail["To"], mail["Subject"]) == ("ada@example.org", "What is new on Dynabench")
    assert "People agree with you: 1." in mail.get_content()
    assert "No agreement: 1." in mail.get_content()
    clock.move(DAY)
    assert digests() == 0
    assert mails() == []


def test_a_second_mail_comes_a_day_later_with_what_came_since(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    ada = confirmed(api, mails)
    news(story, ada)
    clock.move(WAIT)
    digests()
    news(story, ada, resolution="flagged")
    clock.move(DAY - 1)
    assert digests() == 0
    clock.move(1)
    assert digests() == 1
    first, second = mails()
    assert "People agree with you: 1." in first.get_content()
    assert "People agree with you" not in second.get_content()
    assert "Found unfit: 1." in second.get_content()


def test_no_mail_goes_to_an_address_that_nobody_confirmed(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    ada = api.new_person("ada")
    ada.call("PUT", "/me/notice-settings", {"mail": "daily"})
    news(story, ada)
    clock.move(WAIT)
    assert digests() == 0
    assert mails() == []


def test_what_was_read_on_the_page_comes_in_no_mail(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    ada = confirmed(api, mails)
    news(story, ada)
    ada.call("POST", "/me/notices/read", {"up_to": listed(ada)[0]["position"]})
    clock.move(WAIT)
    assert digests() == 0


def test_a_mail_a_week_and_kinds_that_no_mail_tells(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    ada = confirmed(api, mails)
    ada.call("PUT", "/me/notice-settings", {"mail": "weekly", "not_by_mail": ["validating"]})
    story.tell(story.acted("validator.paused", of(ada)))
    clock.move(WAIT)
    assert digests() == 0
    news(story, ada)
    clock.move(WAIT)
    assert digests() == 1
    news(story, ada)
    clock.move(6 * DAY)
    assert digests() == 0
    clock.move(DAY)
    assert digests() == 1
    assert all("paused" not in mail.get_content() for mail in mails())


def test_who_is_disabled_or_wants_none_gets_none(
    api: Api, story: Story, administrator: Api, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    ada, bob, eve = (confirmed(api, mails, name) for name in ("ada", "bob", "eve"))
    news(story, ada, bob, eve)
    ada.call("PUT", "/me/notice-settings", {"mail": "never"})
    state = {"state": "disabled", "reason": "A test."}
    administrator.call("PUT", f"/people/{bob.person_id}/state", state)
    clock.move(WAIT)
    assert digests() == 1
    assert [mail["To"] for mail in mails()] == ["eve@example.org"]


def test_two_workers_and_a_restart_send_one_mail(
    api: Api,
    story: Story,
    digests: Digests,
    mails: Come,
    clock: FixedClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = confirmed(api, mails)
    news(story, ada)
    clock.move(WAIT)

    def ends(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("accounts.notifications.adapters.digests.note_mail", ends)
        with pytest.raises(KeyboardInterrupt):
            digests()
    assert mails() == []
    assert (digests(), digests()) == (1, 0)
    assert len(mails()) == 1


def test_many_people_each_get_theirs(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    people = [confirmed(api, mails, f"person-{number}") for number in range(3)]
    news(story, *people)
    clock.move(WAIT)
    assert digests() == 3
    assert sorted(mail["To"] for mail in mails()) == [f"person-{number}@example.org" for number in range(3)]


def test_the_link_in_a_mail_ends_them_without_signing_in(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock
) -> None:
    ada = confirmed(api, mails)
    ada.call("PUT", "/me/notice-settings", {"mail": "weekly", "not_on_page": ["round_opened"]})
    news(story, ada)
    clock.move(WAIT)
    digests()
    (mail,) = mails()
    link = urlsplit(mail["List-Unsubscribe"].strip("<>"))
    assert (link.path, mail["List-Unsubscribe-Post"]) == ("/unsubscribe", "List-Unsubscribe=One-Click")
    (token,) = parse_qs(link.query)["token"]
    for _ in range(2):
        answer = api.call("POST", "/unsubscriptions", {"token": token})
        assert (answer.status_code, answer.get_json()["user_name"]) == (200, "ada")
    settings = ada.again().call("GET", "/me/notice-settings").get_json()
    assert (settings["mail"], settings["not_on_page"]) == ("never", ["round_opened"])
    news(story, ada)
    clock.move(8 * DAY)
    assert digests() == 0


def test_tokens_of_mails_are_gone_once_they_are_sent(
    api: Api, story: Story, digests: Digests, mails: Come, clock: FixedClock, engine: Engine
) -> None:
    ada = confirmed(api, mails)
    news(story, ada)
    clock.move(WAIT)
    digests()
    (mail,) = mails()
    with engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT mail::text FROM mail").scalars().all()
    assert not [row for row in kept if token_in(mail) in row]


def test_an_address_is_confirmed_by_its_link_and_no_longer_once_it_changes(api: Api, mails: Come) -> None:
    ada = api.new_person("ada")

    def is_confirmed() -> bool:
        return bool(ada.call("GET", "/me/notice-settings").get_json()["is_email_confirmed"])

    assert not is_confirmed()
    ada.call("POST", "/me/email-confirmation", {})
    (link,) = mails()
    assert link["To"] == "ada@example.org"
    assert not is_confirmed()
    api.call("POST", "/email-confirmations", {"token": token_in(link)})
    assert is_confirmed()
    body = {"email": "ada@new.example", "current_password": PASSWORD}
    ada.call("POST", "/me/email-changes", body)
    (changing,) = mails()
    assert is_confirmed()
    api.call("POST", "/email-confirmations", {"token": token_in(changing)})
    assert is_confirmed()
    assert ada.call("GET", "/me/email").get_json() == {"email": "ada@new.example"}


def test_a_new_password_by_mail_confirms_the_address_too(api: Api, mails: Come) -> None:
    api.new_person("ada")
    api.call("POST", "/password-resets", {"email": "ada@example.org"})
    (link,) = mails()
    chosen = {"token": token_in(link), "password": "seven purple kites"}
    assert api.call("POST", "/new-passwords", chosen).status_code == 200
    ada = api.signed_in("ada", "seven purple kites")
    assert ada.call("GET", "/me/notice-settings").get_json()["is_email_confirmed"]


def test_links_to_confirm_an_address_are_limited(api: Api, mails: Come) -> None:
    ada = api.new_person("ada")
    statuses = [
        ada.call("POST", "/me/email-confirmation", {}).status_code for _ in range(MOST_WITHIN_LIFE + 1)
    ]
    assert statuses == [202] * MOST_WITHIN_LIFE + [429]
    assert len(mails()) == MOST_WITHIN_LIFE


def test_the_summary_of_a_week_comes_by_mail_unless_the_person_wants_none(
    api: Api, story: Story, digests: Digests, mails: Come, engine: Engine, clock: FixedClock
) -> None:
    ada, bob = confirmed(api, mails, "ada"), confirmed(api, mails, "bob")
    wanted = {"mail": "daily", "not_by_mail": ["weekly_summary"]}
    assert bob.call("PUT", "/me/notice-settings", wanted).status_code == 200
    round_id = story.open_round()
    story.tell(*(story.written(round_id, of(each)) for each in (ada, bob)))
    clock.move(7 * DAY)
    write_summaries(engine, clock)
    digests()
    summed_up = [mail["To"] for mail in mails() if "Texts that you wrote: 1." in mail.get_content()]
    assert summed_up == ["ada@example.org"]
