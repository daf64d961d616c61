"""Adding files of contexts in a browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow


@pytest.fixture
def adding(sign_in: Callable[..., None], page: Page, fake: FakePlatform) -> Page:
    sign_in(f"/rounds/{fake.loop.round_id}/contexts", "olga")
    return page


def test_a_refused_file_is_told_line_by_line_and_the_next_one_is_added(
    adding: Page, fake: FakePlatform
) -> None:
    adding.set_input_files("[name=file]", [_file(b'{"fields": {"prompt": "Fine."}}\n{"fields": {}}\n')])
    adding.click("text=Add the contexts")
    expect(adding.locator(".line-problems tbody tr")).to_have_count(1)
    expect(adding.locator(".line-problems")).to_contain_text("Nothing was added.")
    expect(adding.locator("#problem")).to_be_focused()
    adding.set_input_files("[name=file]", [_file(b'{"fields": {"prompt": "Fine."}}\n')])
    adding.click("text=Add the contexts")
    expect(adding.locator("#upload .notice")).to_have_text("1 context was added.")
    assert len(fake.workshop.uploads) == 1
    sent = [path for method, path, _ in fake.calls if method == "POST" and path.endswith("/upload")]
    assert len(sent) == 2


def test_a_file_over_the_limit_is_not_sent(adding: Page, fake: FakePlatform, tmp_path: Path) -> None:
    large = tmp_path / "large.jsonl"
    with large.open("wb") as file:
        file.truncate(256_000_001)
    adding.set_input_files("[name=file]", large)
    adding.click("text=Add the contexts")
    expect(adding.locator("[data-upload-state]")).to_contain_text("more than is taken at once")
    assert not any(path.endswith("/upload") for _, path, _ in fake.calls)


def _file(content: bytes) -> FilePayload:
    return {"name": "contexts.jsonl", "mimeType": "application/x-ndjson", "buffer": content}
