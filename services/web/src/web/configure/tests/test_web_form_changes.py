"""The form of a configuration: it says what the text says, and changes what somebody changes in it, nothing else."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from dynabench_tasks.configuration.yaml_text import find_problems
from flask import Flask, render_template
from web.configure.editor_view import ProblemLine
from web.configure.form_changes import put_into
from web.configure.form_kinds import Schema, task_schema
from web.configure.form_page import form_page
from web.configure.form_words import CHOICES, ENTRIES, SECTIONS, WORDS, choice_of, is_known
from web.configure.templates import TITLES, template_text
from web.configure.text_edit import NotEditable
from web_fake_platform import FakePlatform
from web_form_sent import sent_of
from web_visiting import pages_over
from web_yaml import COMMENTED, SHIPPED, changed_lines, said


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    platform = FakePlatform()
    platform.start()
    yield pages_over(platform)
    platform.stop()


@pytest.fixture(autouse=True)
def request_context(app: Flask) -> Iterator[None]:
    with app.test_request_context("/", headers={"Accept-Language": "en"}):
        yield


def sent(text: str) -> dict[str, list[str]]:
    """Return the fields that the form of a text sends if nobody changes anything in it."""
    shown = render_template("configure/form.html", form=form_page(text))
    return sent_of(shown.translate({0xE000: None, 0xE001: None}))


def changed(text: str, values: Mapping[str, str], change: str = "", *, is_new: bool = False) -> str:
    """The text after somebody filled in some controls."""
    posted = {**sent(text), **{name: [value] for name, value in values.items()}}
    return put_into(text, posted, change, is_new=is_new)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_shipped_configuration_goes_through_the_form_unchanged(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    controls = sent(text)
    assert put_into(text, controls) == text
    # As if every single key had been changed to what it is.
    marks = {name: ["another"] for name in controls if name.startswith("was/")}
    assert put_into(text, {**controls, **marks}) == text
    retitled = changed(text, {"at/title": "Another: title"})
    assert [line.partition(":")[0] for line in changed_lines(text, retitled)] == ["-title", "+title"]
    assert said(retitled)["title"] == "Another: title"


def test_what_the_form_does_not_know_is_kept() -> None:
    text = (
        COMMENTED.replace("type: string # kind", "type: string # kind\n    colour: red") + "unknown: {a: 1}\n"
    )
    after = changed(text, {"at/input/0/label": "First"})
    assert changed_lines(text, after) == ["+    label: First"]
    values = said(after)["input"][0]
    assert (values["colour"], values["label"]) == ("red", "First")


@pytest.mark.parametrize(
    "text",
    [
        *("goal: .inf\n", "wrong_when: -.inf\n", "tips: [.inf]\n", "input: [{name: .inf}]\n"),
        *("goal: {2001-01-01: 1}\n", "goal: {1.5: 2.0}\n"),
    ],
)
def test_odd_numbers_and_keys_are_shown_and_kept(text: str) -> None:
    assert render_template("configure/form.html", form=form_page(text))
    assert changed(text, {}) == text


@pytest.mark.parametrize("text", ["slug: .nan\n", "metrics: .nan\n", "instance: {1: .nan}\n"])
def test_no_form_changes_a_file_with_a_value_that_equals_nothing(text: str) -> None:
    assert render_template("configure/form.html", form=form_page(text))
    with pytest.raises(NotEditable):
        changed(text, {})


@pytest.mark.parametrize("sent", ["1e999", "NaN", "[Infinity]"])
def test_a_hidden_control_may_hold_any_number(sent: str) -> None:
    assert put_into("slug: x\n", {"at/goal~": [sent]}, "", is_new=False).startswith("slug: x\n")


def test_values_of_another_kind_are_shown_and_kept() -> None:
    text = "slug: a\ntitle: [not, a, title]\nquotas: {tries_per_person: many}\n"
    assert changed_lines(text, changed(text, {"at/slug": "b"})) == ["-slug: a", "+slug: b"]
    assert "[not, a, title]" in render_template("configure/form.html", form=form_page(text))
    assert changed(text, {"at/quotas/tries_per_person": "7"}).endswith("{tries_per_person: 7}\n")


def test_lines_of_a_browser_are_lines_of_the_text() -> None:
    after = changed(COMMENTED, {"at/description": "One\r\ntwo\r\n", "at/languages": "en\r\nde\r\n"})
    document = said(after)
    assert document["description"] == "One\ntwo\n"
    assert document["languages"] == ["en", "de"]


def test_entries_are_added_moved_and_removed() -> None:
    added = changed(COMMENTED, {}, "add:at/input")
    names = [each["name"] for each in said(added)["input"]]
    assert names == ["first", "second", "third", "field_4"]
    moved = changed(added, {"at/input/3/name": "fourth"}, "up:at/input/3")
    assert [each["name"] for each in said(moved)["input"]] == [
        "first",
        "second",
        "fourth",
        "third",
    ]
    removed = changed(moved, {}, "remove:at/input/1")
    assert [each["name"] for each in said(removed)["input"]] == ["first", "fourth", "third"]
    assert removed.startswith(COMMENTED[: COMMENTED.index("  # Above the second.")])


@pytest.mark.parametrize(
    "change",
    [
        *("add", "add:", "add:at", "add:at/title", "add:at/nothing", "remove:at/input/99", "up:at/input/x"),
        *(
            "remove:at/slug/x",
            "remove:",
            "up:at/input/0",
            "x:at/input/0",
            "remove:at/input/0/@7",
            f"remove:at/@{'9' * 5_000}",
            "remove:at/input/²",
            "add:at/input/9/labels",
        ),
    ],
)
def test_a_change_that_fits_nothing_does_nothing(change: str) -> None:
    assert changed(COMMENTED, {}, change) == COMMENTED


def test_a_field_of_another_kind_has_other_settings() -> None:
    text = changed(template_text("empty"), {"at/input/0/max_length": "80"})
    text = changed(text, {"at/input/0/type": "span"})
    assert said(text)["input"][0] == {"name": "text", "type": "span", "label": "Your text"}
    text = changed(text, {"at/input/0/of": "prompt"})
    assert find_problems(text)[1] == ()


def test_a_rule_of_another_kind_has_its_own_settings() -> None:
    text = changed(template_text("labels"), {"at/ensemble": "at_least"})
    assert said(text)["ensemble"] == {"at_least": 1}
    text = changed(text, {"at/ensemble/at_least": "2", "at/validation/policy": "fixed"})
    document = said(text)
    assert document["ensemble"] == {"at_least": 2}
    assert document["validation"]["policy"] == {"fixed": {"agree": 1, "votes": 1}}
    assert "# Characters a second that nobody reads" in text


def test_what_agreed_with_the_claimed_field_follows_it() -> None:
    text = template_text("labels")
    after = said(changed(text, {"at/input/1/labels": "good\nbad", "at/input/1/name": "mood"}))
    assert after["output"] == [
        {"name": "mood", "type": "multiclass", "label": "Label", "labels": ["good", "bad"]}
    ]
    assert after["validation"]["options"] == ["good", "bad"]
    assert after["wrong_when"] == {"exact_match": {"fields": ["mood"]}}


@pytest.mark.parametrize(
    ("before", "changes", "is_new", "address"),
    [
        (("My task", "my-task"), {"at/title": "Crème brûlée & co."}, True, "creme-brulee-co"),
        (("My task", "my-task"), {"at/title": "x" * 60}, True, "x" * 40),
        (("My task", "my-task"), {"at/title": "السخرية 😀"}, True, "my-task"),
        (("My task", "my-task"), {"at/title": "Irony", "at/slug": "mine"}, True, "mine"),
        (("My task", "another"), {"at/title": "Irony"}, True, "another"),
        (("My task", "my-task"), {"at/title": "Irony"}, False, "my-task"),
    ],
)
def test_the_address_of_a_new_task_follows_its_title_until_somebody_chooses_one(
    before: tuple[str, str], changes: dict[str, str], is_new: bool, address: str
) -> None:
    title, slug = before
    text = f"slug: {slug}\ntitle: {title}\n"
    assert said(changed(text, changes, is_new=is_new))["slug"] == address


def test_what_its_owner_changes_in_the_same_step_does_not_follow() -> None:
    values = {"at/input/1/labels": "good\nbad", "at/validation/options": "good\nbad\nmixed"}
    after = said(changed(template_text("labels"), values))
    assert after["validation"]["options"] == ["good", "bad", "mixed"]


def test_meanings_are_given_label_by_label() -> None:
    text = changed(template_text("labels"), {}, "add:at/input/1/meanings")
    text = changed(text, {"at/input/1/meanings/%400/words": "They complain."})
    meanings = said(text)["input"][1]["meanings"]
    assert meanings == {"negative": {"words": "They complain."}}
    assert "meanings" not in said(changed(text, {}, "remove:at/input/1/meanings/%400"))["input"][1]


def test_words_of_a_marked_answer_are_found_in_their_text() -> None:
    text = changed(template_text("questions"), {}, "add:at/practice")
    values = {
        "at/practice/0/context/passage": "Maren baked at night, Per by day.",
        "at/practice/0/input/question": "Who slept at night?",
        "at/practice/0/answer": "Per",
        "at/practice/0/model_said": "Maren",
        "at/practice/0/because": "Who bakes at night is awake.",
    }
    text = changed(text, values)
    assert find_problems(text)[1] == ()
    item = said(text)["practice"][0]
    assert item["answer"] == {"start": 22, "end": 25, "text": "Per"}
    moved = changed(text, {"at/practice/0/answer": "Per by day"})
    assert said(moved)["practice"][0]["answer"]["end"] == 32


def test_a_whole_task_is_made_from_the_nearly_empty_one_by_the_form() -> None:
    text = template_text("empty")
    text = changed(
        text, {"at/title": "Irony", "at/slug": "irony", "at/languages": "en\nde", "at/tips": "Be dry."}
    )
    text = changed(text, {"at/input/1/labels": "ironic\nliteral", "at/goal/message": "Write it."})
    text = changed(text, {}, "add:at/worked_examples")
    example = {
        "at/worked_examples/0/context/prompt": "Rain again.",
        "at/worked_examples/0/input/text": "Lovely weather.",
        "at/worked_examples/0/input/label": "ironic",
        "at/worked_examples/0/why": "Nobody loves rain.",
    }
    text = changed(text, example)
    text = changed(text, {"at/quotas/tries_per_person": "20", "at/validation/sample": "0,1"})
    configuration, problems = find_problems(text)
    assert problems == ()
    assert configuration is not None
    assert configuration.labels == ("ironic", "literal")
    assert configuration.quotas.tries_per_person == 20
    assert configuration.validation.sample == 0.1


def problem(path: str) -> ProblemLine:
    return ProblemLine(path, 3, 1, "is wrong", "Mend it.")


@pytest.mark.parametrize(
    ("path", "element"),
    [
        ("title", "at-title"),
        ("input[1].labels", "at-input-1-labels"),
        ("input[1].unknown", "at-input-1"),
        ("validation.policy.adaptive.agree", "at-validation-policy-adaptive-agree"),
        ("worked_examples[0].input.text.start", "at-worked_examples-0-input-text"),
        ("nothing", None),
    ],
)
def test_a_mistake_is_told_at_its_field(path: str, element: str | None) -> None:
    page = form_page(template_text("labels"), [problem(path)])
    assert [each.element for each in page.mistakes] == ([] if element is None else [element])
    shown = render_template("configure/form.html", form=page)
    assert ("Mend it." in shown) is (element is not None)
    if element:
        assert f'href="#{element}"' in shown
        assert f'id="{element}"' in shown


@pytest.mark.parametrize("text", ["slug: [a", "just words", "- a\n- b", "slug: &a b"])
def test_a_form_waits_for_a_text_that_can_be_read(text: str) -> None:
    page = form_page(text)
    assert page.waits
    assert not page.sections


def test_a_text_with_more_parts_than_a_form_can_show_is_left_to_its_text() -> None:
    page = form_page("conditions:\n" + "  - {name: a}\n" * 600)
    assert "Edit it there" in page.waits


@pytest.mark.parametrize("name", TITLES)
def test_templates_can_be_used_as_they_are(name: str) -> None:
    assert find_problems(template_text(name))[1] == ()


def test_an_unknown_template_is_the_usual_one() -> None:
    assert template_text("../../settings") == template_text("labels")


def schema_keys(schema: Schema, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """Every key that a configuration can have, with its schema."""
    if keys:
        yield keys, schema
    for key, each in schema.get("properties", {}).items():
        yield from schema_keys(each, (*keys, key))
    for each in schema.get("oneOf", ()):
        yield from schema_keys({key: value for key, value in each.items() if key != "enum"}, keys)
    if isinstance(schema.get("items"), dict):
        yield from schema_keys(schema["items"], keys)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from schema_keys(schema["additionalProperties"], (*keys, "*"))


def test_every_key_and_every_word_of_the_language_has_plain_words_and_no_other_has() -> None:
    known = list(schema_keys(task_schema()))
    assert [".".join(keys) for keys, _ in known if not is_known(keys)] == []
    unsaid = [
        f"{'.'.join(keys)}={word}"
        for keys, schema in known
        for word in schema.get("enum", ())
        if choice_of(keys, word) == word
    ]
    assert unsaid == []
    paths = {".".join(keys) for keys, _ in known}
    ends = {f"*.{path.split('.', cut)[-1]}" for path in paths for cut in range(1, path.count(".") + 1)}
    assert set(WORDS) <= paths | ends
    assert {each.partition("=")[0] for each in CHOICES} <= paths | ends
    assert set(ENTRIES) <= {keys[-1] for keys, _ in known}
    assert {key for section in SECTIONS for key in section.keys} <= set(task_schema()["properties"])


def test_what_nobody_named_has_its_place_in_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    schema: dict[str, Any] = {**task_schema()}
    schema["properties"] = {**schema["properties"], "brand_new": {"type": "string", "maxLength": 9}}
    monkeypatch.setattr("web.configure.form_view.task_schema", lambda: schema)
    monkeypatch.setattr("web.configure.form_reading.task_schema", lambda: schema)
    assert form_page("slug: a").sections[-1].controls[-1].label == "Brand new"
    assert changed("slug: a\n", {"at/brand_new": "x"}) == "slug: a\nbrand_new: x\n"


def test_settings_are_asked_for_where_they_make_sense() -> None:
    controls = sent(template_text("labels"))
    assert "at/input/0/starts_from" in controls
    assert "at/context/0/starts_from" not in controls
    misplaced = template_text("labels").replace("    max_length: 500", "    starts_from: text")
    assert sent(misplaced)["at/context/0/starts_from"] == ["text"]


HOSTILE = {
    "at/input#": "999999",
    "at/context#": "-1",
    "at/output#": "1e3",
    "at/input/0/meanings#": "1000",
    "at/conditions~": "[" * 5_000,
    "at/goal~": '{"message": "\\ud800"}',
    "at/tips~": '"not a list"',
    "was/quotas": "x" * 5_000,
    "at/practice/0/answer~as": "span:../../..",
    "at/validation/policy": "nothing",
}


def test_a_form_that_no_page_made_leaves_a_text_that_can_be_read() -> None:
    after = changed(template_text("labels"), HOSTILE)
    assert isinstance(said(after), dict)
    assert said(after)["slug"] == "my-task"
    assert find_problems(after)[1]
