"""A stranger reads a confirmed example and asks which words decided the model's answer."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import expect

from tests.scenarios import PRAISE, TARGET, heard_of, own_task, vote, write

pytestmark = pytest.mark.slow

EXPLAINED_WITHIN_MS = 60_000


@pytest.fixture(scope="module")
def example_id(platform: Any, admin: Dynabench, new_annotator: Callable[[], Dynabench]) -> str:
    """An example that fooled the target, that two people confirmed, and that anybody can read."""
    policy = {"adaptive": {"agree": 2, "max_votes": 3}}
    task = own_task(platform.url, admin, {"public_examples": "at_once"}, policy=policy)
    round_id = task.open_round()
    written = write(new_annotator(), round_id, PRAISE.format("soup"), "negative")
    assert written.verdict == "fooled"
    for _ in range(2):
        vote(new_annotator(), round_id, {written.example_id: "negative"})
    stranger = Dynabench(platform.url)
    wait_until(
        lambda: heard_of(lambda: stranger.public_examples.get(written.example_id)),
        what="the example to be public",
    )
    return written.example_id


@pytest.mark.parametrize("javascript", [True, False])
def test_a_stranger_sees_the_words_that_decided_on_request(
    javascript: bool, example_id: str, new_member: Callable[..., Any]
) -> None:
    page = new_member(javascript=javascript).open(f"/examples/{example_id}")
    expect(page.locator("h1")).to_have_text("An example that fooled the model")
    expect(page.locator(".attribution")).to_have_count(0)
    page.get_by_role("button", name="Show which words decided").click()
    explained = page.locator("#words-1")
    weighted = explained.locator(".attribution").filter(has_text="wonderful")
    expect(weighted).to_be_visible(timeout=EXPLAINED_WITHIN_MS)
    assert weighted.locator(".weight").count() > 1
    expect(page.locator("#words-heading-1")).to_contain_text(TARGET)
    if javascript:
        expect(page.locator("h1")).to_have_text("An example that fooled the model")
    else:
        expect(page.locator("h1")).to_have_text("Words that decided")
