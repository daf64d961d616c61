"""Looking through a round's examples: filters in the address, one example with its history, and what stays blind."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

EXAMPLES = "/tasks/sentiment/rounds/3/examples"
WORK = "/tasks/sentiment/rounds/3/work"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def rows(page: str) -> int:
    return page.count('class="work-item example-item"')


def test_examples_are_listed_with_what_became_of_them(olga: Visitor) -> None:
    page = olga.get(EXAMPLES).text
    assert rows(page) == 4
    for words in (
        "my dog got most of it",
        "No agreement",
        "Being checked",
        "2 × ",
        "claimed",
        "restaurant",
    ):
        assert words in page
    assert page.count("its claim and its votes are hidden") == 1


def test_what_is_looked_for_stands_in_the_address_and_in_the_form(olga: Visitor, fake: FakePlatform) -> None:
    author = fake.owners.examples[0]["author_id"]
    page = olga.get(
        f"{EXAMPLES}?text=dog&verdict=fooled&became=disputed&tag=restaurant&author_id={author}"
    ).text
    assert rows(page) == 1
    assert 'value="dog"' in page
    assert '<option value="disputed" selected>' in page
    assert '<option value="fooled" selected>' in page
    assert f'name="author_id" value="{author}"' in page
    [link] = re.findall(rf'href="({EXAMPLES}/[^"]+)"', page)
    place = parse_qs(urlsplit(link.replace("&amp;", "&")).query)
    assert (place["text"], place["became"], place["author_id"]) == (["dog"], ["disputed"], [author])
    one = olga.get(link.replace("&amp;", "&")).text
    assert f'href="{EXAMPLES}?text=dog&amp;verdict=fooled' in one


def test_rows_lead_to_all_of_an_author_and_of_a_tag(olga: Visitor, fake: FakePlatform) -> None:
    author = fake.owners.examples[0]["author_id"]
    page = olga.get(EXAMPLES).text
    assert f'href="{EXAMPLES}?author_id={author}"' in page
    assert f'href="{EXAMPLES}?tag=restaurant"' in page
    assert rows(olga.get(f"{EXAMPLES}?author_id={author}").text) == 1


def test_a_long_list_comes_page_by_page_with_its_filters(olga: Visitor, fake: FakePlatform) -> None:
    fake.owners.examples *= 10
    first = olga.get(f"{EXAMPLES}?became=disputed&text=dog").text
    assert rows(first) == 10
    first = olga.get(f"{EXAMPLES}?tag=restaurant").text
    assert rows(first) == 25
    assert f'href="{EXAMPLES}?tag=restaurant&amp;cursor=25"' in first
    second = olga.get(f"{EXAMPLES}?tag=restaurant&cursor=25").text
    assert rows(second) == 15
    assert f'href="{EXAMPLES}?tag=restaurant"' in second


@pytest.mark.parametrize(
    "query", ["verdict=perhaps", "became=good", "disagreement=all", "author_id=ada", "text=%00"]
)
def test_what_no_page_of_ours_asks_is_left_out(query: str, olga: Visitor) -> None:
    assert rows(olga.get(f"{EXAMPLES}?{query}").text) == 4


def test_an_empty_list_says_why(olga: Visitor, fake: FakePlatform) -> None:
    assert "No matching examples" in olga.get(f"{EXAMPLES}?text=nothing").text
    fake.owners.examples.clear()
    assert "There are no examples yet" in olga.get(EXAMPLES).text


def test_an_example_opens_with_its_history_in_order_of_time(olga: Visitor, fake: FakePlatform) -> None:
    case = next(iter(fake.owners.cases))
    fake.owners.votes[case] |= {
        "adjudication": {"resolution": "correct", "reason": "It is irony.", "at": "2026-01-08T12:00:00Z"},
        "appeal": {"reason": "Read it again.", "at": "2026-01-08T11:00:00Z", "answer": "It is irony."},
    }
    page = olga.get(f"{EXAMPLES}/{case}").text
    told = [page.index(words) for words in ("Written by author", "Read it again.", "An owner decided:")]
    assert told == sorted(told)
    assert "Answers of the models" in page
    assert f'href="{WORK}/{case}"' in page


def test_what_one_may_still_vote_on_is_blind_until_one_gives_that_up(
    olga: Visitor, fake: FakePlatform
) -> None:
    waiting = fake.owners.waiting["example_id"]
    page = olga.get(f"{EXAMPLES}/{waiting}").text
    assert "Your vote is still possible" in page
    for hidden in ("Claimed", "Fooled", "Answers of the models", "The dog ate it", "history-heading"):
        assert hidden not in page, hidden
    assert olga.get(f"{WORK}/{waiting}").headers["Location"] == f"{EXAMPLES}/{waiting}"
    done = olga.post(f"{EXAMPLES}/{waiting}/abstention")
    assert done.headers["Location"] == f"{EXAMPLES}/{waiting}?notice=vote-given-up"
    page = olga.get(done.headers["Location"]).text
    assert "The dog ate it" in page
    assert "You are not asked about this example any more" in page


def test_what_was_taken_back_has_no_text(olga: Visitor, fake: FakePlatform) -> None:
    example_id, case = next(iter(fake.owners.cases.items()))
    case["retracted_at"] = "2026-01-09T12:00:00Z"
    page = olga.get(f"{EXAMPLES}/{example_id}").text
    assert "retracted the example" in page
    assert "my dog got most of it" not in page


def test_an_example_of_another_round_is_not_found(olga: Visitor, fake: FakePlatform) -> None:
    case = next(iter(fake.owners.cases))
    assert olga.get(f"/tasks/sentiment/rounds/1/examples/{case}").status_code == 404


def test_votes_that_can_not_be_read_leave_the_rest(olga: Visitor, fake: FakePlatform) -> None:
    case = next(iter(fake.owners.cases))
    fake.fail("GET", "/votes$", 503, times=20)
    page = olga.get(f"{EXAMPLES}/{case}")
    assert page.status_code == 200
    assert "votes can't be read just now" in page.text


def test_people_can_be_asked_about_examples_that_no_rule_sends_them(
    olga: Visitor, fake: FakePlatform
) -> None:
    fake.owners.examples[0]["became"] = "unasked"
    example_id = fake.owners.examples[0]["example_id"]
    assert "Ask for votes on all" not in olga.get(EXAMPLES).text
    form = olga.get(f"{EXAMPLES}?became=unasked").text.partition(f'action="{WORK}/requeue"')[2]
    assert form.count('name="example_id"') == 1
    assert f'value="{example_id}"' in form
    assert "Ask for votes on all 1 on this page" in form


def test_examples_that_wait_for_votes_can_be_assigned(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(EXAMPLES).text
    waiting = [each["example_id"] for each in fake.owners.examples if each["became"] == "waiting"]
    assert waiting
    assert re.findall(r'name="example" value="([^"]+)"', page) == waiting
    assert 'action="/tasks/sentiment/assigned-work#assign"' in page
    for each in fake.owners.examples:
        each["became"] = "correct"
    page = olga.get(EXAMPLES).text
    assert 'name="example"' not in page
    assert "Assign the chosen checks" not in page
