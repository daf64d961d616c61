"""Long sentences of documents are found in prose only."""

import sys

import pytest
from dynabench_local.layout import checkout

sys.path.insert(0, str(checkout() / "scripts"))
from check_english import long_sentences

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
