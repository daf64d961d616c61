"""An owner chooses examples and a group in the browser; its people check these first, and the owner sees it."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from dynabench_common.testing import wait_until
from playwright.sync_api import Page, expect

from tests.scenarios import OwnTask, sign_up, write

pytestmark = pytest.mark.long

TEXTS = [f"Dish number {number} was as warm as the sea in March. 🍲" for number in range(4)]


def assign(page: Page, url: str, slug: str, chosen: list[str]) -> None:
    """Choose examples of the first round, and assign their checks to the group."""
    page.goto(f"{url}/tasks/{slug}/rounds/1/examples")
    for example_id in chosen:
        page.check(f"input[name=example][value='{example_id}']")
    page.get_by_role("button", name="Assign the chosen checks").click()
    expect(page.locator("main")).to_contain_text("2 texts to check are chosen.")
    page.select_option("select[name=group]", label="Linguists · 1 person")
    page.get_by_label("Last day").fill((datetime.now(UTC) + timedelta(days=3)).date().isoformat())
    page.get_by_role("button", name="Assign the work").click()
    expect(page.locator("tbody tr")).to_have_count(1)


def test_chosen_examples_are_checked_first_by_a_group(
    new_member: Callable[..., Any], new_task: Callable[..., OwnTask], platform: Any
) -> None:
    task = new_task()
    round_id = task.open_round()
    author = sign_up(platform.url).client
    examples = [write(author, round_id, text, "negative") for text in TEXTS]
    chosen = [examples[2].example_id, examples[3].example_id]
    linguist, owner = new_member(width=390), new_member(person=task.owner)
    accounts, validation = task.owner.client.accounts, task.owner.client.validation
    accounts.add_to_group(accounts.make_group("Linguists"), linguist.user_name)
    wait_until(lambda: len(validation.round_examples(round_id).items) == len(TEXTS), what="the examples")
    owner.sign_in()
    assign(owner.page, platform.url, task.slug, chosen)
    [order] = linguist.client.annotation.my_work_orders()

    def arrived() -> bool:
        return (
            validation.count_votes(round_id, linguist.person_id, order.assigned_at, order.order_id).left == 2
        )

    wait_until(arrived, what="the checks at validation")
    linguist.sign_in()
    bar = linguist.page.get_by_role("region", name="Work assigned to you")
    for number, text in enumerate(TEXTS[2:]):
        linguist.page.goto(f"{platform.url}/rounds/{round_id}/validate")
        expect(linguist.page.locator("main")).to_contain_text(text)
        expect(bar).to_contain_text(f"{number} of 2")
        held = linguist.client.validation.lease(round_id)
        linguist.client.validation.vote(held.lease_id or "", "label", value="negative")
    linguist.page.goto(f"{platform.url}/rounds/{round_id}/validate")
    expect(bar).to_contain_text("2 of 2")
    expect(linguist.page.locator("main")).to_contain_text(re.compile("Dish number [01] "))
    owner.page.reload()
    expect(owner.page.locator("tbody tr")).to_contain_text("Done")
