"""The reader's language: which one it is, and that numbers, words and refusals are in it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
import web
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from dynabench_client.errors import problem_of
from dynabench_common.problems import Problem, not_found, unavailable
from flask import Flask
from web.kit import numbers, pictures
from web.kit import service_words as service_words_module
from web.kit.catalogues import read_catalogues
from web.kit.language import COOKIE
from web.kit.problems import problem_view
from web.kit.service_words import service_words
from web_fake_platform import FakePlatform
from web_visiting import Visitor, pages_over

GERMAN: Mapping[tuple[str, str], str] = {
    ("", "Sign in"): "Anmelden",
    ("", "%(number)s\u00a0%%"): "%(number)s\u00a0%%",
    ("date pattern", "d MMM HH:mm"): "d. MMM, HH:mm 'Uhr'",
    ("service", "No such {what}"): "{what} gibt es nicht",
    ("service", "The round is {state}."): "Die Runde ist {state}.",
    (
        "service",
        "The round is {state}, so nobody can submit in it.",
    ): "Die Runde ist {state} und nimmt nichts an.",
    ("service", "It has {size:,} bytes."): "Es hat {size:,} Bytes.",
    ("service", "It claims {label!r}."): "Es behauptet {label!r}.",
    ("service", "Nothing was stored."): "Nichts wurde gespeichert.",
    ("service", "round"): "Runde",
    ("service", "closed"): "geschlossen",
    ("service", "has {value1} characters"): "hat {value1} Zeichen",
    ("service", 'write {{"a": {value1}}} here'): 'schreibe {{"a": {value1}}} hier',
    ("service", "Choose one of: {names1}."): "Wähle eins von: {names1}.",
    ("service", "is for {value1} only"): "ist nur für {value1}",
    ("service", "Target {target} is {state}."): "Ziel {target} ist {state}.",
}


def write(code: str, texts: Mapping[tuple[str, str], str], folder: Path) -> None:
    """Write a catalogue below a folder."""
    catalog = Catalog(locale=code)
    for (context, text), said in texts.items():
        catalog.add(text, said, context=context or None)
    (folder / "locales").mkdir(exist_ok=True)
    with (folder / "locales" / f"{code}.po").open("wb") as file:
        write_po(file, catalog)


@pytest.fixture
def app(fake: FakePlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The pages, with some German."""
    write("de", GERMAN, tmp_path)
    monkeypatch.setattr(web, "__path__", [*web.__path__, str(tmp_path)])
    return pages_over(fake)


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "fr, de;q=0.8, en;q=0.5", "de"),
        ("", "de-CH", "de"),
        ("", "fr", "en"),
        ("de", "en", "de"),
        ("en", "de", "en"),
        ("fr", "de", "de"),
        ("../de", "", "en"),
    ],
)
def test_a_reader_has_the_language_of_the_cookie_then_of_the_browser(
    cookie: str, accepted: str, language: str, app: Flask
) -> None:
    visitor = Visitor(app.test_client())
    if cookie:
        visitor.client.set_cookie(COOKIE, cookie)
    answer = visitor.get("/sign-in", **{"Accept-Language": accepted})
    assert f'<html lang="{language}">' in answer.text
    assert ("<h1>Anmelden</h1>" in answer.text) == (language == "de")
    assert {"accept-language", "cookie"} <= {name.lower() for name in answer.vary}


def test_caches_keep_a_picture_for_its_language(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_drawn", lambda _shown: b"PNG")
    answer = Visitor(app.test_client()).get("/tasks/sentiment/picture.png")
    assert answer.cache_control.public
    assert {"accept-language", "cookie"} <= {name.lower() for name in answer.vary}


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "zh-CN,zh;q=0.9", "zh-Hans-CN"),
        ("", "zh", "zh-Hans-CN"),
        ("", "zh-Hans", "zh-Hans-CN"),
        ("", "zh-SG", "zh-Hans-CN"),
        ("", "zh-TW, en;q=0.5", "en"),
        ("", "pt-PT", "pt-BR"),
        ("", "*, zh;q=0", "en"),
        ("zh_CN", "en", "zh-Hans-CN"),
        ("zh-Hans-CN", "en", "zh-Hans-CN"),
    ],
)
def test_a_language_may_have_a_script_or_a_region(
    cookie: str,
    accepted: str,
    language: str,
    fake: FakePlatform,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("zh_CN", {("", "Page not found"): "没有这个页面"}, tmp_path)
    write("pt_BR", {}, tmp_path)
    monkeypatch.setattr(web, "__path__", [*web.__path__, str(tmp_path)])
    visitor = Visitor(pages_over(fake).test_client())
    if cookie:
        visitor.client.set_cookie(COOKIE, cookie)
    # A refusal of a service, which is said again from the catalogue.
    answer = visitor.get("/tasks/unknown", **{"Accept-Language": accepted})
    assert answer.status_code == 404
    assert f'<html lang="{language}">' in answer.text
    missing = visitor.get("/nothing", **{"Accept-Language": accepted})
    assert ("没有这个页面" in missing.text) == (language == "zh-Hans-CN")


def test_a_text_that_an_operator_adds_replaces_that_of_the_product(
    fake: FakePlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("de", {("", "Page not found"): "Hier ist nichts"}, tmp_path)
    monkeypatch.setattr(web, "__path__", [*web.__path__, str(tmp_path)])
    answer = Visitor(pages_over(fake).test_client()).get("/nothing", **{"Accept-Language": "de"})
    assert "Hier ist nichts" in answer.text
    assert "Anmelden" in answer.text


def test_a_language_is_chosen_in_the_footer_for_pages_and_mails(ada: Visitor, fake: FakePlatform) -> None:
    assert '<button name="language" value="ar" lang="ar" aria-pressed="false">' in ada.get("/datasets").text
    answer = ada.post("/preferences", next="/datasets", language="ar")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/datasets")
    assert '<html lang="ar" dir="rtl">' in ada.get("/datasets", **{"Accept-Language": "de"}).text
    settings = [
        body for method, path, body in fake.calls if method == "PUT" and path.endswith("/notice-settings")
    ]
    assert [body["language"] for body in settings] == ["ar"]
    ada.post("/preferences", next="/datasets", language="xx")
    assert '<html lang="ar" dir="rtl">' in ada.get("/datasets").text


def test_a_file_must_be_named_after_a_language(tmp_path: Path) -> None:
    (tmp_path / "locales").mkdir()
    (tmp_path / "locales" / "nonsense!.po").write_text("")
    with pytest.raises(ValueError, match="nonsense"):
        read_catalogues([str(tmp_path)])


def test_numbers_and_days_are_written_as_the_reader_does(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert numbers.count(1204567) == "1.204.567"
        assert numbers.decimal(1204.56) == "1.204,6"
        assert numbers.percent(0.3339) == "33,4\u00a0%"
        assert numbers.interval(0.2288, 0.2884) == "22,9–28,8"
        shown = numbers.moment(datetime(2026, 3, 8, 14, 2, tzinfo=UTC))
        assert shown is not None
        assert shown.words == "8. März, 14:02 Uhr"
        assert shown.iso == "2026-03-08T14:02:00+00:00"


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (not_found("round", "round_id"), "Runde gibt es nicht"),
        (
            Problem(409, "round-closed", "The round is {state}.", "", parameters={"state": "closed"}),
            "Die Runde ist geschlossen.",
        ),
        (
            Problem(
                409,
                "round-closed",
                "The round is {state}, so nobody can submit in it.",
                "",
                parameters={"state": "closed"},
            ),
            "Die Runde ist geschlossen und nimmt nichts an.",
        ),
        (
            Problem(413, "event-too-large", "It has {size:,} bytes.", "", parameters={"size": 1234567}),
            "Es hat 1.234.567 Bytes.",
        ),
        (
            Problem(409, "label-in-use", "It claims {label!r}.", "", parameters={"label": "closed"}),
            "Es behauptet 'closed'.",
        ),
        (
            Problem(409, "round-closed", "The round is shut: {state}.", "", parameters={"state": "closed"}),
            "The round is shut: closed.",
        ),
        (Problem(418, "unheard-of", "I am a teapot", ""), "I am a teapot"),
    ],
)
def test_a_problem_is_said_again_from_its_code_and_parameters(
    refusal: Problem, words: str, app: Flask
) -> None:
    received = problem_of(refusal.status, refusal.document(), {})
    assert problem_view(received).title == refusal.title
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert problem_view(received).title == words
        assert problem_view(refusal).title == words


def test_a_wait_is_cut_from_a_remedy_in_every_language(app: Flask) -> None:
    refusal = unavailable("away", "Away", "It is away.", 12)
    with app.test_request_context(headers={"Accept-Language": "de"}):
        view = problem_view(problem_of(503, refusal.document(), {"Retry-After": "12"}))
    assert view.remedy == "Nichts wurde gespeichert."


def test_what_has_no_code_is_known_by_its_shape(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert service_words("has 1,000 characters") == "hat 1,000 Zeichen"
        assert service_words('write {"a": 3} here') == 'schreibe {"a": 3} hier'
        assert service_words("has no characters at all") == "has no characters at all"
    assert service_words("has 1,000 characters") == "has 1,000 characters"


def test_names_within_a_text_stay_as_they_are(app: Flask) -> None:
    parameters = {"target": "round", "state": "closed"}
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert service_words("Choose one of: round.") == "Wähle eins von: round."
        assert service_words("Choose one of: closed, round.") == "Wähle eins von: closed, round."
        assert service_words("is for round only") == "ist nur für Runde"
        said = service_words("Target round is closed.", parameters)
    assert said == "Ziel round ist geschlossen."


def test_a_text_is_looked_for_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = Mock(wraps=service_words_module._shape)
    monkeypatch.setattr(service_words_module, "_shape", looked)
    text, counts = "nobody says this in any catalogue", []
    for _again in range(2):
        with app.test_request_context(headers={"Accept-Language": "de"}):
            assert service_words(text) == text
        counts.append(looked.call_count)
    assert counts[0] == counts[1] > 0
