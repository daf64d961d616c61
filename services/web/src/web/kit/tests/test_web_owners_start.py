"""An owner's way to the first try: steps, invitation and preview, on the pages of a task and of a round."""

import re

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def change(fake: FakePlatform, **more: object) -> str:
    """Change the newest round and return its address."""
    fake.loop.rounds[fake.loop.round_id] |= more
    return f"/rounds/{fake.loop.round_id}"


def steps(page: str) -> dict[str, bool]:
    """Return the steps with whether each is done."""
    listed = page.partition('class="owners-steps"')[2].partition("</ol>")[0]
    found = re.findall(r"<li>.*?</span> (done|to do)</span> (?:<a [^>]*>)?([^<]+)", listed)
    return {name.strip(): state == "done" for state, name in found}


@pytest.mark.parametrize(
    ("round_", "done"),
    [
        ({"state": "draft", "targets": [], "contexts": 0}, 3),
        ({"state": "draft", "contexts": 0}, 4),
        ({"state": "draft"}, 5),
    ],
)
def test_finished_steps_are_marked_as_done(
    round_: dict[str, object], done: int, olga: Visitor, fake: FakePlatform
) -> None:
    address = change(fake, **round_)
    for page in (olga.get(address).text, olga.get("/tasks/sentiment/manage").text):
        assert list(steps(page).values()) == [True] * done + [False] * (7 - done)


def test_each_step_leads_to_the_page_where_it_is_done(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(change(fake, state="draft", contexts=0)).text
    for address in ("/edit", "/guidelines", "/manage#new-round", "/rounds/3/targets", "/rounds/3/state/open"):
        assert f'href="/tasks/sentiment{address}"' in page
    assert f'href="/rounds/{fake.loop.round_id}/contexts"' in page


def test_the_steps_disappear_after_the_first_try(olga: Visitor, fake: FakePlatform) -> None:
    assert steps(olga.get(f"/rounds/{fake.loop.round_id}").text) == {}
    fake.figures["tries"] = 0
    page = olga.get(f"/rounds/{fake.loop.round_id}").text
    assert steps(page)["Open the round"] is True
    assert f'href="/rounds/{fake.loop.round_id}/create">Write the first text</a>' in page


def test_a_task_without_a_round_has_steps_without_links_to_one(olga: Visitor) -> None:
    page = olga.get("/tasks/nli/manage").text
    assert [name for name, is_done in steps(page).items() if is_done] == [
        *("Write the task&#39;s rules", "Write guidelines"),
    ]
    assert 'id="invitation"' not in page


def test_only_owners_see_the_steps(visitor: Visitor, fake: FakePlatform) -> None:
    address = change(fake, state="draft")
    assert steps(visitor.get(address).text) == {}
    assert 'id="invitation"' not in visitor.get(address).text


@pytest.mark.parametrize(
    ("path", "shown"), [("/rounds/{round}", ""), ("/tasks/sentiment", "/manage")], ids=["round", "task"]
)
def test_an_invitation_leads_through_sign_up_to_the_writing_page(
    path: str, shown: str, visitor: Visitor, fake: FakePlatform
) -> None:
    writing = f"/rounds/{fake.loop.round_id}/create"
    visitor.sign_in("olga")
    address = path.format(round=fake.loop.round_id)
    assert f'{address}/join" aria-labelledby="invitation-heading"' in visitor.get(address + shown).text
    visitor.post("/sign-out")
    led = visitor.get(f"{address}/join").headers["Location"]
    page = visitor.get(led).text
    assert "You are invited to play." in page
    assert f'name="next" value="{writing}"' in page
    person = {"user_name": "nova", "email": "nova@example.org", "password": "long enough for us"}
    assert visitor.post("/sign-up", next=writing, **person).headers["Location"] == writing
    assert visitor.get(f"{address}/join").headers["Location"] == writing
    assert visitor.get(led).headers["Location"] == writing


@pytest.mark.parametrize("state", ["draft", "open", "paused", "closed", "released"])
def test_owners_prepare_a_round_until_it_is_closed(state: str, olga: Visitor, fake: FakePlatform) -> None:
    address, is_unfinished = change(fake, state=state), state in {"draft", "open", "paused"}
    assert ('id="invitation"' in olga.get(address).text) is is_unfinished
    page = olga.get("/tasks/sentiment/manage").text
    assert (f'href="{address}/contexts">See and add' in page) is is_unfinished
    assert ("/rounds/3/targets" in olga.get("/tasks/sentiment/rounds/3/standing").text) is is_unfinished


def test_an_invitation_to_a_round_that_is_not_open_leads_to_its_page(
    visitor: Visitor, fake: FakePlatform
) -> None:
    address = change(fake, state="paused")
    assert visitor.get(f"{address}/join").headers["Location"] == address
    assert visitor.get("/tasks/nli/join").headers["Location"] == "/tasks/nli"


def test_the_preview_shows_the_writing_page_with_a_context_and_stores_nothing(
    olga: Visitor, fake: FakePlatform
) -> None:
    page = olga.get(f"{change(fake, state='draft')}/preview").text
    assert "This is a preview." in page
    assert fake.loop.contexts[0]["fields"]["prompt"] in page
    assert page.index("<fieldset disabled") < page.index('id="try-form"')
    assert page.count("<h1") == 1
    assert (fake.loop.examples, fake.loop.position) == ({}, 0)


def test_a_preview_needs_contexts_and_an_owner(visitor: Visitor, fake: FakePlatform) -> None:
    address = change(fake, state="draft")
    visitor.sign_in("ada")
    assert visitor.get(f"{address}/preview").status_code == 403
    visitor.sign_in("olga")
    fake.loop.contexts.clear()
    led = visitor.get(f"{address}/preview").headers["Location"]
    assert led == f"{address}/contexts?notice=preview-empty"


def test_a_preview_shows_the_first_context_in_use_however_many_are_withdrawn_before(
    olga: Visitor, fake: FakePlatform
) -> None:
    address = change(fake, state="draft")
    kept = fake.loop.contexts[0]
    withdrawn = [{**kept, "is_withdrawn": True, "fields": {"prompt": "An unfit text."}}] * 60
    fake.loop.contexts[:] = [*withdrawn, kept]
    page = olga.get(f"{address}/preview").text
    assert kept["fields"]["prompt"] in page
    assert "An unfit text." not in page
    fake.loop.contexts[:] = withdrawn
    assert olga.get(f"{address}/preview").headers["Location"] == f"{address}/contexts?notice=preview-empty"
