"""The catalogue holds all that people read: nothing is glued from pieces, and every problem has its entry."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
from extract_messages import extracted
from service_texts import ROOT, SOURCES, service_texts
from web.kit.catalogues import SERVICE
from web_pseudo import CLOSE, OPEN, pseudo

MODULE = '''
"""Docstring of a module."""
from dynabench_common.problems import Problem, unavailable

ASK = "Ask again."
KINDS = {"closed": "is closed"}


class RoundState(Enum):
    OPEN = "open"


def closed(error: Closed) -> Problem:
    """Docstring of a function."""
    log.info("round closed")
    if error.number < 0:
        raise ValueError("it is negative")
    return Problem(409, f"round-{error.state}", "Round {state}", ASK, parameters={"state": error.state})


def refused(length: int, labels: list[str]) -> Exception:
    known = ", ".join(labels)
    reason = f"has {length:,} characters" if length else KINDS["closed"]
    return NobodyKnows("text", reason, f"Send one of {known}, or nothing.", 'Send {"a": 1}.', f"{length} of {known}")


def away() -> Problem:
    raise not_found("round", "round_id")


def wait() -> str:
    return "Nothing was stored. Try again in {seconds} s."
'''
MAKERS_OF_PROBLEMS = {"Problem": 2, "refusal": 2, "unavailable": 1, "token_problem": 1}
"""Functions and the position of their first text."""


def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> list[str]:
    monkeypatch.setattr("service_texts.ROOT", tmp_path)
    (tmp_path / "module.py").write_text(source)
    return [each.text for each in service_texts((tmp_path / "module.py",))]


def test_texts_of_a_module_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(tmp_path, monkeypatch, MODULE) == [
        "Ask again.",
        "is closed",
        "open",
        "Round {state}",
        "has {value1} characters",
        "Send one of {names1}, or nothing.",
        'Send {{"a": 1}}.',
        "round",
        "Nothing was stored. Try again in {seconds} s.",
        "Nothing was stored.",
    ]


def test_every_text_of_services_has_its_entry() -> None:
    entries = {message.id for message in extracted() if message.context == SERVICE}
    assert len(entries) > 1000
    assert {each.text for each in service_texts()} == entries


def filled_in_too_early(source: str) -> list[str]:
    """Return the texts of problems that are no templates."""
    found = []
    for node in ast.walk(ast.parse(source)):
        first = MAKERS_OF_PROBLEMS.get(getattr(getattr(node, "func", None), "id", ""))
        if isinstance(node, ast.Call) and first is not None:
            remedies = [each.value for each in node.keywords if each.arg == "remedy"]
            found += [
                ast.unparse(each)
                for each in (*node.args[first : first + 2], *remedies)
                if isinstance(each, ast.JoinedStr | ast.BinOp | ast.Attribute | ast.Call)
            ]
    return found


@pytest.mark.parametrize(
    "detail", ['f"It is {error}."', '"It is " + error + "."', "error.detail", "error.words()"]
)
def test_a_text_that_is_no_template_is_noticed(detail: str) -> None:
    assert len(filled_in_too_early(f'Problem(409, "a", "A", {detail}, remedy=REMEDY)')) == 1


def test_problems_are_made_of_templates() -> None:
    """A text that is filled in by its service has no parameters in the document."""
    assert {path: found for path in SOURCES if (found := filled_in_too_early(path.read_text()))} == {}


def test_contexts_are_written_out_where_texts_are() -> None:
    """A context that stands in a constant is not seen by whoever collects the texts."""
    for path in (ROOT / "services" / "web" / "src").rglob("*.py"):
        assert not re.search(r'(?:pgettext|NC_)\(\s*[A-Za-z_.]+,\s*"', path.read_text()), path


def test_the_words_for_resolutions_stand_in_one_table() -> None:
    for path in (ROOT / "services" / "web" / "src").rglob("*.py"):
        assert 'N_("no agreement")' not in path.read_text() or path.name == "words.py", path


@pytest.mark.long
@pytest.mark.parametrize(
    "jargon",
    ["low posterior", "needs you", "seen so", "take the examples along", "keep your text", "far off"],
)
def test_pages_speak_as_people_do(jargon: str) -> None:
    assert [each.id for each in extracted() if jargon in str(each.id).lower()] == []


def test_templates_of_problems_can_be_filled_in() -> None:
    for each in service_texts():
        names = [name for _text, name, _spec, _conversion in Formatter().parse(each.text) if name is not None]
        assert all(name.isidentifier() for name in names), each


def test_a_pseudo_text_keeps_what_is_filled_in_and_its_tags() -> None:
    said = pseudo('Written by <a href="/x">%(name)s</a> &amp; {size:,} in 5 %%')
    assert said.startswith(OPEN)
    assert said.endswith(CLOSE)
    for kept in ('<a href="/x">%(name)s</a>', "&amp;", "{size:,}", "%%"):
        assert kept in said
    assert pseudo("%(number)s\u00a0%%") == "%(number)s\u00a0%%"
