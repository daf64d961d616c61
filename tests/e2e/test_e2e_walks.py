"""The ways of six kinds of people through the pages, counted in clicks, hesitations and stated seconds.

`first_minute` states how they are counted. The way of a seventh, the researcher, is in `test_e2e_first_start`.
"""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import Browser, Page, expect

from tests.e2e.first_minute import Person
from tests.scenarios import PASSWORD, PRAISE, OwnTask, own_task, vote, write

pytestmark = pytest.mark.slow

DISHES = ("soup", "salad", "bread")
UNEXPLAINED = "sentiment-cnn"
"""A model that other tests do not ask to explain: the owner's new task allows no probes, so it explains nothing."""


@pytest.fixture
def page(browser: Browser, platform: Any) -> Iterator[Page]:
    """A page of somebody who has not signed in."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=platform.url)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def public_task(platform: Any, admin: Dynabench) -> OwnTask:
    """A task whose confirmed examples are public at once."""
    return own_task(platform.url, admin, {"public_examples": "at_once"})


@pytest.fixture(scope="module")
def public_round(public_task: OwnTask, new_annotator: Callable[[], Dynabench]) -> str:
    """An open round with three confirmed examples."""
    round_id, author = public_task.open_round(), new_annotator()
    claims = {
        write(author, round_id, PRAISE.format(dish), "negative").example_id: "negative" for dish in DISHES
    }
    for checker in (new_annotator(), new_annotator()):
        vote(checker, round_id, claims, votes=len(claims))
    return round_id


def sign_in(page: Page, user_name: str, password: str) -> None:
    page.goto("/sign-in")
    page.fill("input[name=user_name]", user_name)
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/")


def reloaded_until(page: Page, selector: str, count: int = 1) -> None:
    """Open the page anew until it has so many matches."""

    def has() -> bool:
        page.reload()
        return page.locator(selector).count() >= count

    wait_until(has, what=f"{count} of {selector}")


def test_a_stranger_reads_three_fooled_examples_without_signing_in(
    page: Page, public_round: str, public_task: OwnTask
) -> None:
    page.goto("/")
    reloaded_until(page, ".example-card", len(DISHES))
    page.goto(f"/tasks/{public_task.slug}")
    reloaded_until(page, ".example-card", len(DISHES))
    person = Person(page)

    for number in range(1, 4):
        assert person.read(f".example-card >> nth={number - 1}")
    person.click(".example-card a >> nth=0")
    assert "negative" in person.read("section[aria-labelledby=people-heading]")
    assert "positive" in person.read("section[aria-labelledby=models-heading]")

    assert page.locator("text=Sign in").count()
    assert person.clicks - person.hesitations == 1, str(person)
    assert person.hesitations <= 2, str(person)
    assert person.seconds <= 60, str(person)


def test_a_volunteer_comes_from_signing_up_to_the_page_of_a_confirmed_example(
    page: Page, public_round: str, new_annotator: Callable[[], Dynabench], owner: Dynabench
) -> None:
    name = f"e2e-{uuid4().hex[:8]}"
    page.goto(f"/sign-up?next=/rounds/{public_round}/create")
    person = Person(page)
    for field, text in (("user_name", name), ("email", f"{name}@demo.invalid"), ("password", PASSWORD)):
        person.type(f"input[name={field}]", text)
    person.press("Enter")
    person.click("text=Skip the practice")
    person.read(".context")
    person.click("label:has([name='input.label'][value=negative])")
    person.type("textarea[name='input.text']", PRAISE.format("cake"))
    person.press("Enter")
    assert "fooled" in person.read("#verdict-heading")

    author = Dynabench(page.url.partition("/rounds")[0], user_name=name, password=PASSWORD)
    (example,) = author.annotation.examples(public_round).items
    for checker in (new_annotator(), new_annotator()):
        vote(checker, public_round, {example.example_id: "negative"})

    person.click("header a[href='/notices']")
    reloaded_until(page, f"main a[href='/rounds/{public_round}/tries']")
    person.click(f"main a[href='/rounds/{public_round}/tries']")
    person.click(f"a[href='/examples/{example.example_id}']")
    assert "cake" in person.read(".example")
    assert person.hesitations <= 1, str(person)
    assert person.clicks <= 10, str(person)
    assert person.seconds <= 120, str(person)


def test_a_linguist_reads_which_words_decided_in_the_example_of_another(
    page: Page, public_round: str, public_task: OwnTask
) -> None:
    page.goto(f"/tasks/{public_task.slug}/examples")
    reloaded_until(page, ".example-card")
    person = Person(page)
    person.click(".example-card a >> nth=0")
    person.click("text=Show which words decided")
    assert "wonderful" in person.read(".attribution")
    assert person.clicks <= 4, str(person)


def test_a_submitter_finds_the_form_and_the_command(page: Page, platform: Any) -> None:
    sign_in(page, "olga", platform.sign_ins()["olga"]["password"])
    person = Person(page)
    person.click("header a[href='/models']")
    person.click("main >> text=Submit a model")
    expect(page.locator("input[name=file]")).to_be_visible()
    assert "dynabench" in person.read("main pre")
    assert person.clicks <= 4, str(person)


def test_an_administrator_sees_the_health_of_the_platform(page: Page, platform: Any) -> None:
    sign_in(page, "admin", platform.sign_ins()["admin"]["password"])
    person = Person(page)
    person.click("header >> text=Admin")
    assert "services answer" in person.read(".console")
    assert (person.clicks, person.hesitations) == (1, 0), str(person)


def test_an_owner_comes_from_nothing_to_an_open_round_in_twelve_clicks_and_five_minutes(
    page: Page, platform: Any, admin: Dynabench
) -> None:
    """From the signed-in home on: a task with a title, a model, three contexts, an open round."""
    slug = f"walk-{uuid4().hex[:8]}"
    title = slug.replace("-", " ").capitalize()
    sign_in(page, "admin", platform.sign_ins()["admin"]["password"])
    person = Person(page)

    person.click("text=Create a task")
    person.replace("[name='at/title']", title)
    person.click("button[value=save].primary")
    page.wait_for_url(f"**/tasks/{slug}/**")
    person.click(f"input[name=target][value={UNEXPLAINED}]")
    person.click("text=Draft the round")
    person.click("main a[href$='/contexts']")
    person.paste("textarea[name=pasted]", "We ate by the sea.\nThe train was late.\nOur guide spoke little.")
    person.click("text=Add the contexts")
    person.click("main a[href$='/state/open']")
    person.click("main form button.primary")

    (opened,) = admin.annotation.task(slug).rounds
    admin.annotation.set_round_state(opened.round_id, "closed", "The walk is over.")
    assert (opened.state, opened.contexts) == ("open", 3)
    assert person.clicks <= 12, str(person)
    assert person.seconds <= 300, str(person)
