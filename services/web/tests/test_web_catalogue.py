"""The catalogue holds all that people read: nothing is glued from pieces, and every problem has its entry."""

import re
from pathlib import Path
from string import Formatter

import pytest
from extract_messages import extracted
from service_texts import ROOT, SAID, Found, service_texts
from web_pseudo import CLOSE, OPEN, pseudo

MODULE = """
from dynabench_common.http.problems import Problem, unavailable

ASK = "Ask again."


def closed(error: Closed, detail: str) -> Problem:
    return Problem(
        409, f"round-{error.state}", "Closed" if error else "Shut", detail, remedy=ASK,
        parameters={"state": error.state},
    )


def refused(length: int) -> Exception:
    reason = f"has {length:,} characters"
    return InputRefused("text", reason, 'Send {"a": 1}.')


def away() -> Problem:
    return unavailable("away", "Away", "It is away.", 1)


class InputRefused(Exception):
    field: str
    reason: str
    remedy: str
"""


LEFT_OUT = [
    'Add "{value1}".',
    "Add `{value1}` with {value2}.",
    "Add {value1}.",
    "Announce {value1}.",
    "Answer “{value1}”.",
    "Choose: {names1}.",
    "Give {value1}.",
    "Keep {value1}.",
    "Send {value1}.",
    "Status {value1}",
    "Write {value1}.",
    "answered {value1}",
    "is {value1}",
    "is {value1}, no {value2}",
    "names {value1}",
    "reads {names1}",
    "repeats {value1}",
    "says {value1} where {value2} has {value3}",
    "status {value1}: {value2}",
    "{value1} Known: {names2}.",
    "{value1} asks for {value2} numbers, and {value3} holds {value4}: {value5}",
    "{value1} has no {value2}: {value3}",
    "{value1} lacks {value2}: {value3}",
    "{value1} of {value2}",
    "{value1} reads {value2} fields; given: {names3}",
    "{value1} says {value2}: {value3}, and {value4} holds {value5} tensors: {value6}",
]
"""Texts with too few words of their own to be recognised."""


def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> Found:
    monkeypatch.setattr("service_texts.ROOT", tmp_path)
    (tmp_path / "module.py").write_text(source)
    return service_texts((tmp_path / "module.py",))


def test_texts_are_found_with_their_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read(tmp_path, monkeypatch, MODULE)
    assert {(each.code, each.text) for each in found.texts} == {
        ("round-*", "Closed"),
        ("round-*", "Shut"),
        ("round-*", "Ask again."),
        (SAID, "has {value1} characters"),
        (SAID, 'Send {{"a": 1}}.'),
        ("away", "Away"),
        ("away", "It is away."),
    }
    assert found.unreadable == []


@pytest.mark.parametrize(
    "detail", ['f"It is {error}."', '"It is " + error + "."', "error.detail", "error.words()"]
)
def test_a_text_that_is_no_template_is_told(
    detail: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read(tmp_path, monkeypatch, f'def say(error):\n    return Problem(409, "a", "A", {detail})\n')
    assert len(found.unreadable) == 1


def test_a_text_is_found_in_the_module_that_it_is_imported_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "src" / "shop" / "words.py"
    words.parent.mkdir(parents=True)
    words.write_text('AGAIN = "Ask it again."\nOTHER = "Nobody says this."\n')
    source = """
from shop.words import AGAIN, OTHER

class StepFailed(Exception):
    def __init__(self, fault: str, reason: str, remedy: str) -> None: ...

def check() -> None:
    raise StepFailed("yours", "It does not fit.", AGAIN)
"""
    (tmp_path / "module.py").write_text(source)
    monkeypatch.setattr("service_texts.ROOT", tmp_path)
    found = service_texts((tmp_path / "module.py", words))
    assert {each.text for each in found.texts} == {"It does not fit.", "Ask it again."}


def test_a_text_that_its_words_could_not_tell_from_others_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
def refuse(passage: str, reason: str, labels: list[str]) -> None:
    known = ", ".join(labels)
    raise InputRefused("text", f"{reason} of {passage}", f"Send one of {known}, or nothing.")


class InputRefused(Exception):
    field: str
    reason: str
    remedy: str
"""
    found = read(tmp_path, monkeypatch, source)
    assert [each.text for each in found.texts] == ["Send one of {names1}, or nothing."]
    assert found.left_out == ["{value1} of {value2}"]


def test_which_texts_of_services_are_left_out() -> None:
    """They are shown in English whatever the reader's language is: a new one had better say more."""
    assert service_texts().left_out == LEFT_OUT


def test_every_problem_that_services_make_has_its_entry() -> None:
    found = service_texts()
    assert found.unreadable == []
    assert len({each.code for each in found.texts}) > 80
    entries = {(message.context, message.id) for message in extracted()}
    assert all((f"service {each.code}", each.text) in entries for each in found.texts)


def test_contexts_are_written_out_where_texts_are() -> None:
    """A context that stands in a constant is not seen by whoever collects the texts."""
    for path in (ROOT / "services" / "web" / "src").rglob("*.py"):
        assert not re.search(r'(?:pgettext|NC_)\(\s*[A-Za-z_.]+,\s*"', path.read_text()), path


def test_the_words_for_resolutions_stand_in_one_table() -> None:
    for path in (ROOT / "services" / "web" / "src").rglob("*.py"):
        assert 'N_("disputed")' not in path.read_text() or path.name == "words.py", path


@pytest.mark.parametrize(
    "jargon",
    ["low posterior", "needs you", "seen so", "take the examples along", "keep your text", "far off"],
)
def test_pages_speak_as_people_do(jargon: str) -> None:
    assert [each.id for each in extracted() if jargon in str(each.id).lower()] == []


def test_templates_of_problems_can_be_filled_in() -> None:
    for each in service_texts().texts:
        names = [name for _text, name, _spec, _conversion in Formatter().parse(each.text) if name is not None]
        assert all(name.isidentifier() for name in names), each


def test_a_pseudo_text_keeps_what_is_filled_in_and_its_tags() -> None:
    said = pseudo('Written by <a href="/x">%(name)s</a> &amp; {size:,} in 5 %%')
    assert said.startswith(OPEN)
    assert said.endswith(CLOSE)
    for kept in ('<a href="/x">%(name)s</a>', "&amp;", "{size:,}", "%%"):
        assert kept in said
    assert pseudo("%(number)s\u00a0%%") == "%(number)s\u00a0%%"
