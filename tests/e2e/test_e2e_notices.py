"""One person writes, others vote: the author is notified on the home page and by mail, and unsubscribes by its link."""

import re
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from dynabench_common.testing import wait_until
from playwright.sync_api import expect

from tests.scenarios import OwnTask, sign_up, vote, write

pytestmark = pytest.mark.slow

TEXT = "The soup was wonderful and everyone was kind to us."


def test_an_author_is_notified_on_the_home_page_and_by_mail(
    new_member: Callable[..., Any], new_task: Callable[..., OwnTask], platform: Any
) -> None:
    task, person = new_task(), sign_up(platform.url)
    folder, round_id = Path(platform.stack.layout.home) / "mail", task.open_round()
    author = new_member(person=person, javascript=False)
    author.sign_in()

    page = author.open("/account")
    page.click("text=Send a confirmation link")
    expect(page.locator("#notices")).to_contain_text("We sent you a link.")
    page.goto(
        link_in(mail_to(person.email, "Confirm your e-mail address for Dynabench", folder), "confirm-email")
    )
    page.click("main button.primary")
    expect(page.locator("h1")).to_have_text("Your address is confirmed")
    assert author.client.accounts.notice_settings().is_email_confirmed

    example = write(author.client, round_id, TEXT, "negative")
    voters = [sign_up(platform.url), sign_up(platform.url)]
    for voter in voters:
        vote(voter.client, round_id, {example.example_id: "negative"})

    wait_until(lambda: author.client.accounts.notices().items, what="the author to be told")
    news = author.open("/").get_by_role("region", name="What is new")
    expect(news).to_contain_text("people have checked one of your texts")
    expect(news).to_contain_text("People agree with you")
    for voter in voters:
        assert voter.user_name not in page.content()
        assert voter.client.accounts.notices().items == ()

    mail = mail_to(person.email, "What is new on Dynabench", folder)
    assert "People agree with you: 1." in mail.get_content()
    assert f"/rounds/{round_id}/tries" in mail.get_content()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    news.get_by_role("button", name="Mark all as read").click()
    expect(page.locator("main")).not_to_contain_text("What is new")
    assert author.client.accounts.notices().unread == 0

    signed_out = new_member(javascript=False).page
    signed_out.goto(link_in(mail, "unsubscribe"))
    assert author.client.accounts.notice_settings().mail == "daily"
    signed_out.click("main button.primary")
    expect(signed_out.locator("h1")).to_have_text("These mails are switched off")
    assert author.client.accounts.notice_settings().mail == "never"


def mail_to(email: str, subject: str, folder: Path) -> EmailMessage:
    """Return a person's mail with this content, once it lies in the folder."""

    def found() -> list[EmailMessage]:
        read = (message_from_bytes(path.read_bytes(), policy=policy.default) for path in folder.glob("*.eml"))
        return [mail for mail in read if (mail["To"], mail["Subject"]) == (email, subject)]

    mails: list[EmailMessage] = wait_until(found, what=f"the mail “{subject}” to lie in the folder")
    return mails[0]


def link_in(mail: EmailMessage, page: str) -> str:
    """Return the link to a page in a mail."""
    link = re.search(rf"http\S+/{page}\?token=\S+", mail.get_content())
    assert link
    return link.group()
