"""Every page is there, says what it is, and keeps the policy."""

import re
from urllib.parse import quote
from uuid import UUID

import pytest
from web_fake_datasets import DATASET_ID
from web_fake_evaluations import BASELINE
from web_fake_examples import EXAMPLE_ID
from web_fake_model_board import DATASET_ID as BOARD_DATASET_ID
from web_fake_model_board import SNAPSHOT_ID
from web_fake_models import MODEL_NAME, SUBMISSION_ID
from web_fake_platform import PASSWORD, FakePlatform
from web_visiting import Visitor, pages_over

PUBLIC = [
    "/",
    "/tasks/sentiment",
    "/tasks/nli",
    "/tasks/nli/practice",
    "/tasks/sentiment/rounds",
    "/tasks/sentiment/people",
    "/tasks/sentiment/people?round_id={round}",
    "/tasks/nli/people",
    "/tasks/sentiment/board",
    "/tasks/nli/board",
    f"/tasks/sentiment/board/snapshots/{SNAPSHOT_ID}",
    f"/tasks/sentiment/board/compare?first=roberta-adv-v2&second=offline&dataset={BOARD_DATASET_ID}",
    "/tasks/sentiment/activity",
    "/tasks/sentiment/versions",
    "/tasks/sentiment/versions/1",
    "/rounds/{round}",
    "/datasets",
    f"/datasets/{DATASET_ID}",
    f"/datasets/{DATASET_ID}/measurements",
    "/datasets/scored",
    *(f"/datasets/scored/{BOARD_DATASET_ID}{rest}" for rest in ("", "/samples", "/item?id=r2-1")),
    "/examples",
    f"/examples/{EXAMPLE_ID}",
    "/tasks/sentiment/examples",
    "/models",
    f"/models/{MODEL_NAME}",
    f"/models/{BASELINE}",
    f"/evaluations/{UUID(int=1)}",
    "/sign-in",
    "/sign-up",
    "/forgotten-password",
    "/new-password?token=a",
    "/confirm-email?token=a",
    "/unsubscribe?token=a",
    "/help/keys",
    "/work/{campaign}?PROLIFIC_PID=w1",
]
OWNERS = [
    "/tasks/sentiment/reports",
    "/tasks/sentiment/datasets/new",
    f"/datasets/scored/{BOARD_DATASET_ID}/suspects",
    "/tasks/sentiment/edit",
    "/tasks/sentiment/starter",
    "/tasks/sentiment/rounds/3/measurements",
    "/tasks/sentiment/rounds/3/campaigns",
    "/tasks/sentiment/rounds/3/campaigns/new",
    "/rounds/{round}/contexts",
    "/rounds/{round}/preview",
    "/admin",
    "/admin/models",
    "/admin/dead-letters",
    "/people",
    "/people/{person}",
]
SIGNED_IN = [
    "/tasks/new",
    "/check",
    f"/examples/{EXAMPLE_ID}/hidden",
    "/rounds/{round}/create",
    "/rounds/{round}/validate",
    "/rounds/{round}/tries",
    "/account",
    "/notices",
    "/models/submit",
    f"/submissions/{SUBMISSION_ID}",
    f"/submissions/{SUBMISSION_ID}/entry?path=config.json",
]


def at(path: str, fake: FakePlatform) -> str:
    person, campaign = fake.people["ada"].person_id, fake.work.offer() if "{campaign}" in path else ""
    return path.format(round=fake.loop.round_id, person=person, campaign=campaign)


@pytest.mark.parametrize("path", PUBLIC)
def test_public_pages_need_no_session(path: str, visitor: Visitor, fake: FakePlatform) -> None:
    answer = visitor.get(at(path, fake))
    assert answer.status_code == 200
    assert answer.text.count("<h1") == 1
    assert '<html lang="en"' in answer.text
    assert 'href="#main"' in answer.text


@pytest.mark.parametrize("path", SIGNED_IN)
def test_own_pages_are_shown_to_who_is_signed_in(path: str, ada: Visitor, fake: FakePlatform) -> None:
    answer = ada.get(at(path, fake))
    assert answer.status_code == 200
    assert answer.text.count("<h1") == 1
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", SIGNED_IN)
def test_own_pages_lead_others_to_signing_in_and_back(
    path: str, visitor: Visitor, fake: FakePlatform
) -> None:
    answer = visitor.get(at(path, fake))
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/sign-in?next=" + quote(at(path, fake), safe="")


@pytest.mark.parametrize("path", OWNERS)
def test_pages_of_owners_are_shown_to_them_alone(path: str, visitor: Visitor, fake: FakePlatform) -> None:
    assert visitor.get(at(path, fake)).status_code == 303
    visitor.sign_in("ada")
    assert visitor.get(at(path, fake)).status_code == 403
    visitor.sign_in("olga")
    answer = visitor.get(at(path, fake))
    assert answer.status_code == 200
    assert answer.text.count("<h1") == 1
    assert not re.search(r"<style|<[^>]*\s(style|on[a-z]+)=", answer.text)


@pytest.mark.parametrize("path", [*PUBLIC, "/no/such/page"])
def test_every_page_carries_the_policy(path: str, visitor: Visitor, fake: FakePlatform) -> None:
    answer = visitor.get(at(path, fake))
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert not re.search(r"<style|<[^>]*\s(style|on[a-z]+)=", answer.text)


def test_htmx_is_told_to_keep_the_policy(visitor: Visitor) -> None:
    page = visitor.get("/").text
    assert "includeIndicatorStyles&#34;: false" in page
    assert "allowEval&#34;: false" in page


def test_static_files_are_named_by_content_and_kept_for_a_year(visitor: Visitor) -> None:
    page = visitor.get("/").text
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(addresses) >= 5
    for address in addresses:
        answer = visitor.get(address)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["Cache-Control"]
    older = re.sub(r"/static/\w+/", "/static/0123456789abcdef/", addresses[1])
    assert visitor.get(older).headers["Cache-Control"] == "no-cache"
    assert visitor.get("/static/0123456789abcdef/../settings.py").status_code == 404


def test_a_script_is_sent_as_a_script(visitor: Visitor) -> None:
    address = re.search(r'src="(/static/[^"]+behaviours\.js)"', visitor.get("/").text)
    assert address
    assert visitor.get(address.group(1)).headers["Content-Type"] == "text/javascript; charset=utf-8"


def test_a_task_card_shows_its_open_round_and_what_to_do(visitor: Visitor, fake: FakePlatform) -> None:
    page = visitor.get("/").text
    assert "1,204" in page
    assert "25.7\u00a0%" in page
    assert f'href="/rounds/{fake.loop.round_id}/create"' in page
    assert f'href="/rounds/{fake.loop.round_id}/validate"' in page
    assert "No round yet." in page


def test_the_list_is_shown_without_figures_when_the_leaderboard_is_away(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/api/leaderboard/", 503, times=9)
    answer = visitor.get("/")
    assert answer.status_code == 200
    assert "Figures appear with the first tries." in answer.text


def test_instructions_are_sanitised(visitor: Visitor) -> None:
    page = visitor.get("/tasks/sentiment").text
    assert "&lt;script&gt;alert" in page
    assert 'href="javascript' not in page


def test_health_is_told(visitor: Visitor) -> None:
    assert visitor.get("/healthz/live").status_code == 200
    assert visitor.get("/healthz/ready").status_code == 200


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_is_remembered_without_a_script(theme: str, visitor: Visitor) -> None:
    answer = visitor.post("/preferences", theme=theme, next="/help/keys")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/help/keys")
    assert f'data-theme="{theme}"' in visitor.get("/").text


def test_an_unknown_theme_changes_nothing(visitor: Visitor) -> None:
    visitor.post("/preferences", theme='"><script>', next="//evil.example")
    assert "data-theme=" not in visitor.get("/").text.partition("<body")[0]


def test_below_a_path_every_address_that_a_browser_follows_has_it(fake: FakePlatform) -> None:
    visitor = Visitor(pages_over(fake, "http://localhost/bench").test_client())
    visitor.sign_in()
    answers = {path: visitor.get(at(path, fake)) for path in (*PUBLIC, *SIGNED_IN)}
    assert {answer.status_code for answer in answers.values()} <= {200, 303}
    found = re.findall(
        r'\s(?:href|src|action|formaction|hx-[a-z-]+|data-[a-z-]+)="(/[^"]*)"',
        "".join(answer.text for answer in answers.values()),
    )
    assert len(found) > 500
    assert [each for each in found if not each.startswith("/bench/")] == []


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (f"/datasets/{DATASET_ID}", f"/api/scoring/v1/datasets/{DATASET_ID}/croissant"),
        (f"/models/{MODEL_NAME}", f"/api/gateway/v1/models/{MODEL_NAME}:predict"),
        ("/rounds/{round}", "/rounds/{round}/join"),
        ("/tasks/sentiment", "/tasks/sentiment/picture.png"),
    ],
)
@pytest.mark.parametrize("public_url", ["https://lab.example/bench", "https://lab.example/bench/"])
def test_addresses_for_other_places_begin_with_the_public_url(
    public_url: str, path: str, shown: str, fake: FakePlatform
) -> None:
    fake.figures["tries"] = 0
    visitor = Visitor(pages_over(fake, public_url).test_client())
    visitor.sign_in("olga")
    assert f"https://lab.example/bench{at(shown, fake)}" in visitor.get(at(path, fake)).text


def test_below_a_path_signing_in_leads_back_to_where_one_was(fake: FakePlatform) -> None:
    visitor = Visitor(pages_over(fake, "https://lab.example/bench").test_client())
    first = visitor.get("/account")
    assert first.headers["Location"] == "/bench/sign-in?next=%2Faccount"
    for following in ("/account", "/bench/account"):
        answer = visitor.post("/sign-in", user_name="ada", password=PASSWORD, next=following)
        assert answer.headers["Location"].partition("?")[0] == "/bench/account"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://lab.example", 303),
        ("https://other.example", 303),
        ("http://localhost", 303),
        ("https://evil.example", 403),
        ("https://lab.example.evil.example", 403),
        ("null", 403),
    ],
)
def test_forms_are_taken_from_every_origin_of_ours_and_a_refusal_names_the_setting(
    fake: FakePlatform, origin: str, status: int
) -> None:
    app = pages_over(fake, "https://lab.example/bench", public_origins="https://other.example")
    form = {"user_name": "ada", "password": PASSWORD}
    answer = app.test_client().post("/sign-in", data=form, headers={"Origin": origin})
    assert answer.status_code == status
    if status == 403:
        assert origin in answer.text
        assert "PUBLIC_URL" in answer.text
        assert "PUBLIC_ORIGINS" in answer.text
