"""Sending an archive in a browser: in parts to a store on another origin, once more after a break, never twice."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from web_archives import PART, archive, send
from web_fake_platform import FakePlatform

pytestmark = pytest.mark.slow

FORM = "/models/submit?task=sentiment"
SENT = "[data-archive-share]"
FILE_PROBLEM = '[data-problem-of="file"]'
PROBLEM = '[data-problem-of=""]'


@pytest.fixture
def sending(sign_in: Callable[..., None], page: Page, fake: FakePlatform) -> Page:
    fake.models.found.clear()
    fake.models.part_bytes = PART
    sign_in(FORM)
    return page


def asked(fake: FakePlatform, ending: str) -> int:
    return sum(method == "POST" and path.endswith(ending) for method, path, _ in fake.calls)


def only(fake: FakePlatform) -> str:
    [found] = fake.models.found
    return str(found["submission_id"])


def held(fake: FakePlatform) -> bytes:
    parts = fake.models.store.held[only(fake)]
    return b"".join(parts[number] for number in sorted(parts))


def test_an_archive_is_hashed_sent_in_parts_and_led_to_its_checks(sending: Page, fake: FakePlatform) -> None:
    file = archive(5)
    send(sending, file)
    sending.wait_for_url("**/submissions/*")
    expect(sending.locator("h1")).to_have_text("mini, version 1")
    expect(sending.locator("main")).to_contain_text("Being checked")
    assert held(fake) == file["buffer"]
    assert sorted(fake.models.store.order) == [1, 2, 3, 4, 5]
    assert fake.models.found[0]["digest"].startswith("sha256:")
    assert fake.models.found[0]["file_name"] == file["name"]


def test_a_part_that_fails_is_sent_again_to_a_fresh_address(sending: Page, fake: FakePlatform) -> None:
    file = archive(5)
    fake.models.store.refused = [2]
    send(sending, file)
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == file["buffer"]
    assert sorted(fake.models.store.order) == [1, 2, 3, 4, 5]
    assert fake.models.store.refusals == 1
    assert asked(fake, "/upload/parts") == 2


def test_addresses_that_cannot_be_had_just_then_are_asked_for_again(
    sending: Page, fake: FakePlatform
) -> None:
    file = archive(2)
    fake.fail("POST", "/upload/parts$", 503, times=2)
    fake.fail("POST", "/upload/completion$", 503, times=2)
    send(sending, file)
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == file["buffer"]


def test_progress_is_shown_and_a_reload_sends_only_the_rest(sending: Page, fake: FakePlatform) -> None:
    file = archive(8)
    fake.models.store.refused = [7, 8] * 9
    send(sending, file)
    expect(sending.locator(SENT)).to_have_text("Sent 0.006 of 0.008 MB")
    progress = sending.locator("[data-archive-state] progress")
    expect(progress).to_have_js_property("value", 6000 / 7900)
    expect(sending.locator("[data-archive-send]")).to_be_disabled()
    sending.reload()
    expect(sending.locator("[name=model]")).to_have_value("mini")
    fake.models.store.refused.clear()
    assert sorted(fake.models.store.order) == [1, 2, 3, 4, 5, 6]
    sending.set_input_files("[name=file]", [file])
    sending.click("[data-archive-send]")
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == file["buffer"]
    assert sorted(fake.models.store.order) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_part_that_is_not_whole_is_sent_anew(sending: Page, fake: FakePlatform) -> None:
    file = archive(3)
    submission_id = fake.models.add(
        "draft", model="mini", file_name=file["name"], size=len(file["buffer"]), part_bytes=PART
    )
    fake.models.store.held[submission_id] = {1: file["buffer"][:PART], 2: b"half"}
    send(sending, file)
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == file["buffer"]
    assert sorted(fake.models.store.order) == [2, 3]


def test_parts_that_the_store_lost_are_sent_before_the_upload_ends(sending: Page, fake: FakePlatform) -> None:
    file = archive(3)
    lost: list[int] = []

    def lose(found: dict[str, Any]) -> None:
        del fake.models.store.held[found["submission_id"]][2]
        lost.append(2)

    fake.models.before_completion = [lose]
    send(sending, file)
    sending.wait_for_url("**/submissions/*")
    assert lost == [2]
    assert held(fake) == file["buffer"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [(0, "The file holds no bytes."), (9, "The archive has 8900 bytes; 5000 are the most.")],
)
def test_a_refused_file_is_told_beside_its_field(
    parts: int, said: str, sending: Page, fake: FakePlatform
) -> None:
    fake.models.largest = 5000
    send(sending, archive(parts))
    expect(sending.locator(FILE_PROBLEM)).to_contain_text(said)
    field = sending.locator("[name=file]")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    assert "submit-file-problem" in str(field.get_attribute("aria-describedby"))
    assert fake.models.found == []
    file = archive(2)
    sending.set_input_files("[name=file]", [file])
    expect(sending.locator(FILE_PROBLEM)).to_be_hidden()
    sending.click("[data-archive-send]")
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == file["buffer"]


def test_a_taken_name_is_told_beside_its_field(sending: Page, fake: FakePlatform) -> None:
    fake.models.add("published", "olga", model="taken")
    send(sending, archive(1), model="taken")
    expect(sending.locator('[data-problem-of="model"]')).to_contain_text("belongs to another person's model")
    expect(sending.locator("[name=model]")).to_be_focused()


def test_a_second_click_sends_nothing_twice(sending: Page, fake: FakePlatform) -> None:
    file = archive(4)
    sending.fill("[name=model]", "mini")
    sending.set_input_files("[name=file]", [file])
    sending.locator("[data-archive-form]").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
    sending.wait_for_url("**/submissions/*")
    assert asked(fake, "/v1/submissions") == 1
    assert sorted(fake.models.store.order) == [1, 2, 3, 4]


def test_the_same_archive_again_leads_to_what_became_of_it(sending: Page, fake: FakePlatform) -> None:
    file = archive(2)
    for _time in range(2):
        sending.goto(FORM)
        send(sending, file)
        sending.wait_for_url("**/submissions/*")
    expect(sending.locator(".notice")).to_have_text("You sent this archive before. Here is its result.")
    assert sorted(fake.models.store.order) == [1, 2]


def test_another_tab_that_ends_the_upload_first_is_no_failure(sending: Page, fake: FakePlatform) -> None:
    fake.models.store.refused = [1]
    fake.models.before_signing = [dict, lambda found: found.update(state="checking", step="checksum")]
    send(sending, archive(1))
    sending.wait_for_url("**/submissions/*")
    expect(sending.locator("main")).to_contain_text("Being checked")


def test_a_submission_that_was_cancelled_meanwhile_says_so(sending: Page, fake: FakePlatform) -> None:
    fake.models.store.refused = [1]
    fake.models.before_signing = [dict, lambda found: found.update(state="cancelled")]
    send(sending, archive(1))
    expect(sending.locator(PROBLEM)).to_contain_text("while the submission is cancelled")
    expect(sending.locator("[data-archive-send]")).to_be_enabled()


def test_a_connection_that_comes_back_is_waited_for(
    sending: Page, context: BrowserContext, fake: FakePlatform
) -> None:
    file = archive(6)
    fake.models.store.refused = [6] * 9
    send(sending, file)
    expect(sending.locator(SENT)).to_have_text("Sent 0.005 of 0.006 MB")
    context.set_offline(True)
    expect(sending.locator("[data-archive-words]")).to_have_text(
        "No connection. The upload resumes automatically."
    )
    fake.models.store.refused.clear()
    context.set_offline(False)
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == file["buffer"]


def test_a_pause_sends_nothing_new_until_it_ends(sending: Page, fake: FakePlatform) -> None:
    file = archive(6)
    fake.models.store.may_store.clear()
    send(sending, file)
    pause = sending.locator("[data-archive-pause]")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    expect(sending.locator("[data-archive-words]")).to_contain_text("Paused.")
    fake.models.store.may_store.set()
    expect(sending.locator(SENT)).to_have_text("Sent 0.003 of 0.006 MB")
    assert set(fake.models.store.order) <= {1, 2, 3}
    assert asked(fake, "/upload/completion") == 0
    pause.click()
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == file["buffer"]


def test_an_ended_session_leads_to_signing_in_and_back_with_the_name(
    sending: Page, context: BrowserContext, fake: FakePlatform
) -> None:
    context.clear_cookies()
    send(sending, archive(2))
    sending.wait_for_url("**/sign-in?next=*")
    sending.fill("[name=user_name]", "ada")
    sending.fill("[name=password]", "correct horse battery")
    sending.click("main button.primary")
    sending.wait_for_url(f"**{FORM}")
    expect(sending.locator("[name=model]")).to_have_value("mini")


def test_another_file_of_the_same_name_and_size_is_not_mixed_with_the_first(
    sending: Page, fake: FakePlatform
) -> None:
    """Without a digest, as over plain http, only this browser knows of which file the parts are."""
    first, second = archive(3), archive(3, fill=b"others! ")
    sending.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    sending.reload()
    submission_id = fake.models.add(
        "draft", model="mini", file_name=first["name"], size=len(first["buffer"]), part_bytes=PART
    )
    fake.models.store.held[submission_id] = {1: first["buffer"][:PART], 2: first["buffer"][PART : 2 * PART]}
    send(sending, second)
    sending.wait_for_url("**/submissions/*")
    assert held(fake) == second["buffer"]


def test_the_draft_of_the_name_is_forgotten_once_the_archive_is_there(sending: Page) -> None:
    send(sending, archive(1))
    sending.wait_for_url("**/submissions/*")
    sending.goto(FORM)
    expect(sending.locator("[name=model]")).to_have_value("")
