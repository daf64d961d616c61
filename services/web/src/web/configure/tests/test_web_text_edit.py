"""Single values of a YAML text change, and all the rest stays letter for letter."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dynabench_tasks.configuration.yaml_text import UnusableYaml
from hypothesis import given, settings
from hypothesis import strategies as st
from web.configure.text_edit import NotEditable, same, with_values
from web_yaml import COMMENTED, SHIPPED, changed_lines, said

VALUES: list[Any] = [
    *(None, True, 0, 2.5, "x", "", "no", "12", "a: b # c", "  lead", "- a", "ü🙂", "tab\tx", "a, [b]"),
    *("line\ntwo\n", "\n\nx", "x\n\n", " first\nsecond", "long " * 40 + "end"),
    *([], {}, ["a", "b"], [{"name": "q", "type": "string"}], {"a": {"b": [1]}}),
]
Place = tuple[str | int, ...]


def edited(text: str, **changes: Any) -> str:
    """The text with other values of some keys; None takes a key out."""
    document = {**said(text), **changes}
    return with_values(text, {key: value for key, value in document.items() if value is not None})


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_shipped_text_stays_and_one_value_changes_one_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    document = said(text)
    assert with_values(text, document) == text
    assert changed_lines(text, edited(text, slug="another-one")) == [
        next(line for line in (f"-{line}" for line in text.splitlines()) if line.startswith("-slug:")),
        "+slug: another-one",
    ]


def places_of(part: object, place: Place = ()) -> Iterator[Place]:
    if place:
        yield place
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for step, child in inside:
        yield from places_of(child, (*place, step))


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A shipped text, and a document that differs from what it says in a few places."""
    text = draw(st.sampled_from(SHIPPED)).read_text(encoding="utf-8")
    document = said(text)
    for _ in range(draw(st.integers(1, 3))):
        known = list(places_of(document))
        *steps, last = draw(st.sampled_from(known))
        part: Any = document
        for step in steps:
            part = part[step]
        what = draw(st.sampled_from(["replace", "remove", "add", "reverse"]))
        value = copy.deepcopy(draw(st.sampled_from(VALUES)))
        if what == "remove" and len(part) > 1:
            del part[last]
        elif what == "add" and isinstance(part, dict):
            part["added"] = value
        elif what == "add":
            part.insert(last, value)
        elif what == "reverse" and isinstance(part, list):
            part.reverse()
        else:
            part[last] = value
    return text, document


@settings(max_examples=150, deadline=None)
@given(changes())
def test_whatever_changes_the_text_says_it(change: tuple[str, dict[str, Any]]) -> None:
    text, document = change
    assert same(said(with_values(text, document)), document)


def test_comments_and_quotes_stay() -> None:
    text = edited(
        COMMENTED, slug="b", title="New: one", quotas={"tries_per_context": 4, "tries_per_person": 9}
    )
    assert changed_lines(COMMENTED, text) == [
        "-slug: a  # behind the value",
        "+slug: b  # behind the value",
        "-title: 'Quoted'",
        "+title: 'New: one'",
        "-quotas: {tries_per_context: 3}",
        "+quotas: {tries_per_context: 4, tries_per_person: 9}",
    ]


def test_entries_move_with_the_comments_above_them() -> None:
    first, second, third = said(COMMENTED)["input"]
    text = edited(COMMENTED, input=[third, {**second, "max_length": 5}, first])
    assert text[text.index("# Above the fields") : text.index("quotas")] == (
        "# Above the fields.\n"
        "input:\n"
        "  - name: third\n"
        "    type: string\n"
        "  # Above the second.\n"
        "  - {name: second, type: string, max_length: 5}   # in one line\n"
        "  - name: first\n"
        "    type: string # kind\n"
    )


def test_keys_come_and_go() -> None:
    text = edited(COMMENTED, quotas=None, tips=["Short.", "And another."], instructions="One\n\nTwo\n")
    assert "quotas" not in text
    assert text.index("# At the end.") > 0
    assert text.endswith("tips: [Short., And another.]\ninstructions: |\n  One\n\n  Two\n# At the end.\n")


def test_a_text_without_anything_is_begun() -> None:
    assert with_values("", {"slug": "a"}) == "slug: a\n"
    assert with_values("# Only this.", {"slug": "a"}) == "# Only this.\nslug: a\n"


def test_json_stays_json() -> None:
    assert (
        with_values('{"slug": "a", "x": [1]}', {"slug": "b", "x": [1], "y": 2})
        == '{"slug": b, "x": [1], y: 2}'
    )


def test_a_text_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(NotEditable):
        with_values("- a\n- b\n", {"slug": "a"})


BOMB = "a: &a [x, x]\n" + "\n".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]" for n in range(20)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "slug: a\nslug: b\n",
        "slug: [a",
        "a: !!python/object:os.system x",
        "x: " + "[" * 40,
        "y: " + "z" * 300_000,
    ],
    ids=["aliases", "twice", "open", "tag", "deep", "long"],
)
def test_what_is_not_read_is_not_edited(text: str) -> None:
    with pytest.raises(UnusableYaml):
        with_values(text, {"slug": "a"})


def test_a_text_of_ninety_kilobytes_is_edited() -> None:
    text = COMMENTED + "instructions: |\n" + "  Some words – “quoted”.\n" * 3_500
    assert len(text.encode()) > 90_000
    assert changed_lines(text, edited(text, slug="b"))[1:] == ["+slug: b  # behind the value"]
