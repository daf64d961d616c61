"""JSON of people: no key twice, no number that is none, and no text that can't be kept, whatever reads it."""

import io
import json
from collections.abc import Callable

import pytest
from dynabench_tasks.json_lines import read_lines
from dynabench_tasks.strict_json import read_json, unkeepable
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
KEPT = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


@given(KEPT)
def test_what_can_be_kept_comes_back_as_it_was(document: object) -> None:
    assert read_json(json.dumps(document)) == document
    assert unkeepable(document) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"id": "a", "id": "b"}', "the key 'id' stands twice"),
        ('{"a": [{"x": 1, "y": 2, "x": 1}]}', "the key 'x' stands twice"),
        ('{"a": 1, "\\u0061": 2}', "the key 'a' stands twice"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ('{"a": 1e999}', "1e999 is too large"),
        ('{"a": 9223372036854775808}', "9223372036854775808 is too large"),
        ("[" * 100_000, "nested too deep"),
        *((text * 101 + "1" + end * 101, "nested too deep") for text, end in (("[", "]"), ('{"a":', "}"))),
    ],
)
def test_what_two_readers_would_read_differently_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_json(text)


def test_a_hundred_levels_are_read() -> None:
    text = "[" * 99 + '{"a": 1}' + "]" * 99
    assert json.dumps(read_json(text)) == text


PLACES: list[tuple[Callable[[str], object], str]] = [
    (lambda text: {"id": text}, "id"),
    (lambda text: {"tags": ["fine", text]}, "tags[1]"),
    (lambda text: {"group": text}, "group"),
    (lambda text: {"context": {"prompt": text}}, "context.prompt"),
    (lambda text: {"context": {text: "a"}}, "context"),
    (lambda text: {text: 1}, "line"),
    (lambda text: {"a": [[{"b": text}]]}, "a[0][0].b"),
]


@pytest.mark.parametrize(("made", "path"), PLACES)
@pytest.mark.parametrize("half", ["\ud800", "\udfff", "\x00"])
def test_halves_of_characters_are_refused_wherever_they_stand(
    made: Callable[[str], object], path: str, half: str
) -> None:
    line = json.dumps(made(f"a{half}b")).encode()
    (found,) = read_lines(io.BytesIO(line))
    assert found.flaw is not None
    assert (found.flaw.field, f"U+{ord(half):04X}" in found.flaw.reason) == (path, True)


def test_pairs_of_halves_are_characters() -> None:
    (found,) = read_lines(io.BytesIO(b'{"text": "\\ud83d\\ude00"}'))
    assert found.document == {"text": "😀"}


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_only_line_feeds_end_lines(separator: str) -> None:
    lines = f'\ufeff{{"text": "one\u2028two"}}\r\n{{"text": {json.dumps(separator, ensure_ascii=False)}}}\n'
    assert [(line.number, line.flaw) for line in read_lines(io.BytesIO(lines.encode()))] == [
        (1, None),
        (2, None),
    ]
