"""People in the browser: an administrator manages one, and a member gets a new password by mail."""

import re
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import Page, expect

from tests.scenarios import PASSWORD, OwnTask, sign_up, vote, write

pytestmark = pytest.mark.slow

NEW = "seven purple kites"
WHY = "Too many differ from what everybody else says."


def sign_in(page: Page, url: str, user_name: str, password: str) -> None:
    page.goto(f"{url}/sign-in")
    page.fill("input[name=user_name]", user_name)
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{url}/")


def test_an_administrator_finds_a_person_changes_a_role_and_reads_why_they_were_paused(
    new_member: Callable[..., Any], new_task: Callable[..., OwnTask], platform: Any
) -> None:
    task, person = new_task(), sign_up(platform.url)
    round_id = task.open_round()
    text = "The soup was wonderful and everyone was kind to us."
    example = write(sign_up(platform.url).client, round_id, text, "negative")
    vote(person.client, round_id, {example.example_id: "negative"})
    task.owner.client.validation.set_validator(task.slug, person.person_id, "paused", WHY)

    page = new_member().page
    sign_in(page, platform.url, "admin", platform.sign_ins()["admin"]["password"])
    page.click("header >> text=Admin")
    expect(page.locator("h1")).to_have_text("Administration")
    expect(page.locator(".console")).to_contain_text("6 of 6 services answer")
    page.fill("main input[name=search]", person.email.partition("@")[0])
    page.keyboard.press("Enter")
    page.click(f"main table >> text={person.user_name}")

    standing = page.get_by_role("region", name="Tasks of the person")
    expect(standing).to_contain_text("Paused")
    expect(standing).to_contain_text("the task's owner")
    expect(standing).to_contain_text(WHY)

    page.select_option("select[name=role]", f"owner:{task.slug}")
    page.click("text=Give the role")
    expect(page.locator("main")).to_contain_text("The roles are changed.")
    assert person.client.accounts.me().roles == ("annotator", f"owner:{task.slug}")

    def is_audited() -> bool:
        page.reload()
        entries = page.get_by_role("region", name="Entries")
        return entries.count() == 1 and "changed a person's roles" in entries.inner_text()

    wait_until(is_audited, what="the audit log to tell of the changed roles")


def test_a_member_gets_a_new_password_by_the_mail_in_the_folder(
    new_member: Callable[..., Any], platform: Any
) -> None:
    elsewhere, member = new_member(), new_member(javascript=False)
    elsewhere, member = new_member(), new_member(javascript=False)
    elsewhere.sign_in()
    email = f"{elsewhere.user_name}@demo.invalid"

    page = member.open("/sign-in")
    page.click("text=Forgotten your password?")
    page.fill("input[name=email]", email)
    page.click("text=Send the link")
    expect(page.locator("main")).to_contain_text("we sent a link there")
    folder = Path(page.inner_text("main code"))
    assert folder == platform.stack.layout.home / "mail"

    wait_until(lambda: mails(folder, email), what="the mail to lie in the folder")
    (mail,) = mails(folder, email)
    link = re.search(r"http\S+/new-password\?token=\S+", mail.get_content())
    assert link
    page.goto(link.group())
    page.fill("input[name=password]", NEW)
    page.click("main button")
    expect(page.locator("h1")).to_have_text("Your password is changed")
    page.click("main a.button")
    page.fill("input[name=user_name]", elsewhere.user_name)
    page.fill("input[name=password]", NEW)
    page.click("main button")
    expect(page.locator("h1")).to_have_text(elsewhere.user_name)

    wait_until(
        lambda: "/sign-in" in elsewhere.open("/account").url, what="the other browser to be signed out"
    )
    page.goto(link.group())
    page.fill("input[name=password]", "eleven green boats")
    page.click("main button")
    expect(page.locator("main")).to_contain_text("The link was used already")
    refused = new_member().open("/sign-in")
    refused.fill("input[name=user_name]", elsewhere.user_name)
    refused.fill("input[name=password]", PASSWORD)
    refused.click("main button")
    expect(refused.locator("main")).to_contain_text("Wrong user name or password")


def mails(folder: Path, to: str) -> list[EmailMessage]:
    """Return a person's mails in the folder with a link."""
    found = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in folder.glob("*.eml")]
    return [mail for mail in found if mail["To"] == to and "token=" in mail.get_content()]


def test_the_command_line_gives_and_takes_roles(
    dynabench: Callable[..., Any], platform: Any, admin: Dynabench
) -> None:
    person = sign_up(platform.url)
    searched = dynabench("api", "GET", "accounts/people", "-f", f"search={person.user_name}", "--paginate")
    (found,) = searched["items"]
    assert found["email"] == person.email
    changes = f"accounts/people/{found['person_id']}/role-changes"
    given = dynabench("api", "POST", changes, "-f", 'grant:=["owner:nli"]', "-f", "reason=She asked.")
    assert given["roles"] == ["annotator", "owner:nli"]
    taken = dynabench("api", "POST", changes, "-f", 'revoke:=["owner:nli"]')
    state = ("api", "PUT", f"accounts/people/{found['person_id']}/state", "-f", "reason=A test.", "-f")
    assert dynabench(*state, "state=disabled")["disabled_at"]
    assert dynabench(*state, "state=active")["disabled_at"] is None
    assert taken["roles"] == list(admin.accounts.person(person.person_id).roles) == ["annotator"]
