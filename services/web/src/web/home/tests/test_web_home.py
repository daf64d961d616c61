"""The first page, for a stranger and for a member."""

from web_fake_platform import FakePlatform
from web_visiting import Visitor


def test_a_stranger_reads_what_it_is_and_what_came_of_it(visitor: Visitor, fake: FakePlatform) -> None:
    page = visitor.get("/").text
    assert "Can you fool a language model?" in page
    assert 'href="/sign-up"' in page
    assert "Tries in the current rounds" in page
    assert "/tasks/sentiment" in page
    assert not [path for _, path, _ in fake.calls if "/people/me" in path]


def test_without_a_try_a_stranger_is_invited_to_the_first(visitor: Visitor, fake: FakePlatform) -> None:
    fake.figures.update(tries=0, fooled=0, validated_errors=0)
    assert "Yours can be the first" in visitor.get("/").text


def test_a_stranger_has_a_page_while_figures_and_datasets_are_away(
    visitor: Visitor, fake: FakePlatform
) -> None:
    for path in ("/leaderboard/v1/tasks", "/scoring/v1/datasets"):
        fake.fail("GET", path, 500, times=9)
    page = visitor.get("/")
    assert page.status_code == 200
    assert "/tasks/sentiment" in page.text


def test_a_member_reads_what_became_of_their_tries(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("ada")
    page = visitor.get("/").text
    assert "4\u00a0tries so far: 1 fooled a model, 1 confirmed, 0 being checked." in page
    assert "Sentiment, round 3" in page
    assert "1 of 4" in page
    assert f'href="/rounds/{fake.loop.round_id}/tries"' in page


def test_a_member_reads_the_week_and_what_to_do_next(ada: Visitor, fake: FakePlatform) -> None:
    page = ada.get("/").text
    for words in ("My week", "4 of 80", "Continue with", "Next for you"):
        assert words in page
    assert page.index("Next for you") < page.index("My week") < page.index("Open tasks")
    assert f'<a class="button primary" href="/rounds/{fake.loop.round_id}/create">Play</a>' in page


def test_who_has_not_tried_is_shown_the_way(ada: Visitor, fake: FakePlatform) -> None:
    fake.my_rounds.clear()
    assert "Fool the models of" in ada.get("/").text


def test_figures_that_are_away_are_no_empty_list(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/people/me/week", 500, times=9)
    fake.fail("GET", "/people/me/rounds", 500, times=9)
    page = ada.get("/").text
    assert "can't be read just now" in page.replace("&#39;", "'")
    assert "Next for you" in page


def test_a_member_reads_first_what_is_new(ada: Visitor, fake: FakePlatform) -> None:
    assert "What is new" not in ada.get("/").text
    fake.desk.notices.tell("round_opened", fake.loop.round_id, read_at="2026-01-07T10:00:00Z")
    fake.desk.notices.tell("example_resolved", fake.loop.round_id, counts={"correct": 3})
    page = ada.get("/").text
    assert page.index("What is new") < page.index("Open tasks")
    assert "people have checked 3 of your texts" in page
    assert "is open. You took part" not in page
    assert '<span class="unread">1<' in page
    position = page.split('name="up_to" value="', 1)[1].split('"', 1)[0]
    assert ada.post("/notices/read", up_to=position, next="/").headers["Location"] == "/?notice=notices-read"
    assert "What is new" not in ada.get("/").text


def test_more_news_than_fit_lead_to_the_list(ada: Visitor, fake: FakePlatform) -> None:
    for _ in range(8):
        fake.desk.notices.tell("round_opened", fake.loop.round_id)
    page = ada.get("/").text
    assert page.count('class="notification-item') == 3
    assert "See 5 more notices" in page


def test_the_home_page_is_there_while_notices_are_away(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/me/notices", 500, times=9)
    page = ada.get("/")
    assert page.status_code == 200
    assert "What is new" not in page.text
