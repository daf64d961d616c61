"""Pages about the site, the operator's texts in their place, and the search."""

import pytest
from dynabench_local.layout import checkout
from web_fake_platform import FakePlatform
from web_visiting import Visitor, pages_over


@pytest.mark.parametrize("name", ["about", "privacy", "terms", "licence", "contact", "docs"])
def test_every_page_leads_to_the_pages_about_the_site(visitor: Visitor, name: str) -> None:
    assert f'href="/{name}"' in visitor.get("/datasets").text
    page = visitor.get(f"/{name}")
    assert page.status_code == 200
    assert "<h1>" in page.text


def test_the_documents_name_the_interface_of_every_service(visitor: Visitor) -> None:
    page = visitor.get("/docs").text
    published = sorted((checkout() / "services/api/published").glob("*.json"))
    assert published
    assert [path.stem for path in published if f"/api/{path.stem}/openapi.json" not in page] == []


def test_a_text_of_the_operator_replaces_the_products(fake: FakePlatform) -> None:
    text = "We are the *University of X*. <script>alert(1)</script>"
    visitor = Visitor(pages_over(fake, site_privacy=text).test_client())
    page = visitor.get("/privacy").text
    assert "We are the <em>University of X</em>." in page
    assert "<script>alert(1)" not in page
    assert "What is stored" not in page
    assert "How it works" in visitor.get("/about").text


def test_what_does_not_exist_offers_a_search_and_no_second_try(visitor: Visitor) -> None:
    answer = visitor.get("/nothing-here")
    assert answer.status_code == 404
    assert 'action="/search"' in answer.text
    assert ">Try again<" not in answer.text


def test_a_search_finds_all_words_of_a_name_in_any_case(visitor: Visitor) -> None:
    assert 'href="/tasks/sentiment"' in visitor.get("/search?q=SENTI").text
    assert "Nothing found" in visitor.get("/search?q=sentiment+zebra").text
    assert "Enter a word" in visitor.get("/search?q=+").text


def test_a_search_works_while_a_service_does_not_answer(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/scoring/v1/datasets", 500, times=9)
    assert 'href="/tasks/sentiment"' in visitor.get("/search?q=sentiment").text


def test_the_request_id_stands_only_with_errors(visitor: Visitor) -> None:
    assert "Request" not in visitor.get("/datasets").text.partition("<footer")[2]
