"""Flaws of English are found: long sentences, coined words, docstrings that begin with a clause."""

import sys

import pytest
from dynabench_local.layout import checkout

sys.path.insert(0, str(checkout() / "scripts"))
from check_english import clauses, coined_words, explanations, long_sentences, prose

LONG = " ".join(["word"] * 31)
SHORT = " ".join(["word"] * 20)


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        ("a sentence has at most 30 words", f"{SHORT}.\n\n{LONG}.", 1),
        ("a list item is a text", f"- {SHORT}\n- {SHORT}\n- {LONG}", 1),
        ("a table cell is a text", f"| {SHORT} | {SHORT} |\n|---|---|\n| {LONG} | {SHORT} |", 1),
        ("a heading is a text", f"## {SHORT}\n{SHORT}", 0),
        (
            "code is not checked, also within a list",
            f"1. {SHORT}:\n\n   ```sh\n   {LONG}\n   ```\n{SHORT}",
            0,
        ),
        ("inline code is one word, and so is a list of it", f"{SHORT} `{LONG}`{', `name`' * 20}", 0),
        ("a link's address is no word", f"{SHORT} [{SHORT[:9]}](https://example.org/{'a ' * 20})", 0),
    ],
)
def test_long_sentences_are_found(rule: str, text: str, found: int) -> None:
    assert len(list(long_sentences(text))) == found, rule


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        ("a coined word has a standard term", "Requests in hand may end.", ["open, running or leased"]),
        (
            "a line break or a capital makes no difference",
            "Parked. What is in\nhand?",
            ["open, running or leased", "quarantined"],
        ),
        ("a plural is the same word", "The twins answer.", ["fake or copy"]),
        ("a part of a longer word is no coined word", "Winter twinkles; handshakes are checked.", []),
        ("inline code is a name", "The state is `parked`.", []),
        ("a block of code is code", "```sh\nknock\n```", []),
    ],
)
def test_coined_words_of_documents_are_found(rule: str, text: str, found: list[str]) -> None:
    assert sorted(term for _, term in coined_words(prose(text))) == found, rule


@pytest.mark.parametrize(
    ("rule", "source", "found"),
    [
        ("a docstring is checked", 'class A:\n    """A twin."""\n', 1),
        ("a comment is checked", "x = 1  # requests in hand\n", 1),
        ("a string is data", 'x = "The twin is parked."\n', 0),
        ("a name is no text", "twin = parked\n", 0),
        ("inline code of a comment is a name", "# `parked` rows\n", 0),
    ],
)
def test_coined_words_of_modules_are_found(rule: str, source: str, found: int) -> None:
    assert sum(len(list(coined_words(text))) for text in explanations(source)) == found, rule


@pytest.mark.parametrize(
    ("rule", "source", "found"),
    [
        ("a module's docstring is checked", '"""How a lease ends."""\n', ["How a lease ends."]),
        ("so is a function's", 'def f():\n    """Whether it is\n    open."""\n', ["Whether it is"]),
        ("a noun phrase or an imperative passes", 'class A:\n    """End of a lease."""\n', []),
        ("a clause further on passes", '"""Return how a lease ends."""\n', []),
        ("a longer word passes", '"""Whole page."""\n', []),
        ("a comment is no docstring", "# What ends a lease\n", []),
    ],
)
def test_docstrings_that_begin_with_a_clause_are_found(rule: str, source: str, found: list[str]) -> None:
    assert list(clauses(source)) == found, rule
