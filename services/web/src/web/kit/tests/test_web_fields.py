"""Field types: what each asks, reads and shows."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import web
from dynabench_tasks.fields import FIELD_TYPES
from dynabench_tasks.values import Value
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from web.kit import fields
from web.kit.configuration import Field
from web.kit.fields import Asking, Unreadable, When
from web.kit.fields.labels import LabelsView
from web.kit.fields.span import SpanView
from web.kit.isolation import give, name
from web.kit.problems import ProblemView

TOPICS = ("culture", "economy", "sport")
PASSAGE = "🙂 Die Ma\u0308rchen of 🏴‍☠️ Orsa, of Orsa."
FIRST, LAST = PASSAGE.index("Orsa"), PASSAGE.rindex("Orsa")
STOPS = "First stop: Paris.\r\nSecond stop: Paris.\r\nThird stop: Paris."
SPAN = Field("answer", "span", "Answer", of="passage")
FRAGMENTS = Path(fields.__file__).parent
ADDITIONS = Path(__file__).parents[4] / "tests" / "additions"


def entered(text: str, start: object = "", end: object = "") -> dict[str, list[str]]:
    return {"input.answer": [text], "input.answer.start": [str(start)], "input.answer.end": [str(end)]}


def read(field: Field, controls: dict[str, list[str]]) -> Value | None:
    asking = Asking(control=f"input.{field.name}", entered=controls)
    return fields.read(field, asking, {"passage": PASSAGE})


@pytest.mark.parametrize("kind", FIELD_TYPES.names)
def test_a_type_has_a_fragment_that_asks_or_says_why_not_and_one_that_shows(kind: str) -> None:
    view = fields.ask(Field("name", kind, "Label", labels=TOPICS), Asking(control="input.name"))
    assert (FRAGMENTS / f"{view.type}.ask.html").exists()
    assert (FRAGMENTS / f"{kind}.show.html").exists()


def test_probabilities_are_never_asked_for() -> None:
    view = fields.ask(Field("shares", "probabilities", "Shares", of="label"), Asking(control="input.shares"))
    assert view.type == "unknown"


def test_an_unknown_type_is_said_to_be_one() -> None:
    field = Field("sound", "audio", "Sound")
    view = fields.ask(field, Asking(control="input.sound"))
    assert "audio" in getattr(view, "why", "")
    assert fields.read(field, Asking(control="input.sound", entered={"input.sound": ["x"]}), {}) is None
    assert fields.show(field, {"id": "ä"}).text == '{"id": "ä"}'


def test_a_value_of_another_shape_than_its_type_is_shown_as_text() -> None:
    assert fields.show(SPAN, "just words").type == "unknown"
    assert fields.show(Field("picture", "image", "Picture"), {"alt": "no id"}).type == "unknown"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (Field("text", "string", "Text"), "two\nlines"),
        (Field("label", "multiclass", "Label", labels=TOPICS), "sport"),
        (Field("topics", "multilabel", "Topics", labels=TOPICS), ["culture", "sport"]),
        (SPAN, {"start": 6, "end": 14, "text": PASSAGE[6:14]}),
        (Field("picture", "image", "Picture"), {"image_id": "id", "alt": "A cow."}),
    ],
    ids=lambda each: each.type if isinstance(each, Field) else "",
)
def test_what_a_form_holds_is_read_back(field: Field, value: Value) -> None:
    filled = fields.fill(field, f"input.{field.name}", value)
    assert read(field, {name: list(controls) for name, controls in filled.items()}) == value


@pytest.mark.parametrize(
    ("text", "controls", "start", "why"),
    [
        (PASSAGE, ("Orsa", LAST, LAST + 4), LAST, "a place that is named is taken"),
        (PASSAGE, ("Orsa", 3, 7), None, "a place with other words is refused"),
        (PASSAGE, ("Orsa",), FIRST, "words without a place are looked for"),
        (PASSAGE, ("  Orsa ", "x", "-1"), FIRST, "what are no offsets name no place"),
        (PASSAGE, ("Orsa", 9**30, 9**31), FIRST, "nor what is too large"),
        (PASSAGE, ("🏴‍☠️",), PASSAGE.index("🏴"), "an emoji of several code points"),
        (STOPS, ("Paris", 53, 58), 53, "line ends of two code points count two"),
        (STOPS, ("Paris.Second stop", 12, 31), 12, "a mark may go across line ends, which controls drop"),
        (STOPS, ("Paris. Third",), 33, "or may show as blanks"),
        ("a 👩‍👩‍👧 b 👩", ("👩",), 10, "a part of a character stands nowhere"),
        ("together, to get her", ("to get her",), 10, "blanks are compared where that tells places apart"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_span_is_found(text: str, controls: tuple[str, ...], start: int | None, why: str) -> None:
    asking = Asking(control="input.answer", entered=entered(*controls))
    if start is None:
        with pytest.raises(Unreadable, match="differ from the marked ones"):
            fields.read(SPAN, asking, {"passage": text})
        return
    span = fields.read(SPAN, asking, {"passage": text})
    assert isinstance(span, dict)
    assert span["start"] == start, why
    assert text[span["start"] : span["end"]] == span["text"]


def test_words_that_do_not_stand_in_the_text_are_refused() -> None:
    with pytest.raises(Unreadable, match="are not in the text"):
        read(SPAN, entered(text="Lund"))
    assert read(SPAN, entered(text=" ")) is None


def test_a_refusal_finds_its_field_and_parts_of_it() -> None:
    def problem_at(place: str) -> ProblemView | None:
        refusal = ProblemView(422, "Unusable", "It is.", field=place)
        return Asking(control="input.topics", problem=refusal).own_problem

    assert problem_at("input.topics")
    assert problem_at("input.topics[1]")
    assert problem_at("input.topics.alt")
    assert problem_at("input.topics2") is None
    assert problem_at("input") is None


def test_labels_keep_what_was_chosen_and_their_keys() -> None:
    asking = Asking(control="input.topics", entered={"input.topics": ["sport", "culture"]}, has_keys=True)
    view = fields.ask(Field("topics", "multilabel", "Topics", labels=TOPICS), asking)
    assert isinstance(view, LabelsView)
    assert [label.is_chosen for label in view.labels] == [True, False, True]
    assert [label.key for label in view.labels] == ["1", "2", "3"]


def test_an_assigned_label_stands_in_place_of_the_choice() -> None:
    view = fields.ask(
        Field("label", "multiclass", "Label", labels=TOPICS), Asking(control="input.label", assigned="sport")
    )
    assert isinstance(view, LabelsView)
    assert view.assigned
    assert view.assigned.name == "sport"


def test_a_span_knows_where_its_text_is_shown() -> None:
    asking = Asking(control="input.answer", passages={"passage": "passage-passage"})
    view = fields.ask(SPAN, asking)
    assert isinstance(view, SpanView)
    assert (view.passage, view.mirrored, view.element) == ("passage-passage", "", "field-answer")


def test_a_condition_reads_as_words() -> None:
    assert When("input.label", ("hateful", "rude")).in_words == f"“{name('hateful')}” or “{name('rude')}”"


@pytest.mark.parametrize("kind", [*FIELD_TYPES.names, "audio"])
def test_every_value_is_shown_by_its_fragment(kind: str) -> None:
    values: dict[str, Value] = {
        "multilabel": ["sport"],
        "span": {"start": 0, "end": 1, "text": "<b>"},
        "image": {"image_id": "../x", "alt": "<b>"},
        "probabilities": {"sport": 0.25},
    }
    shown = fields.show(Field("name", kind, "Label", labels=TOPICS), values.get(kind, "<b>"))
    page = _render("show", shown)
    assert "<b>" not in page
    assert "../" not in page
    assert "sport" in page or "&lt;b&gt;" in page


def _render(door: str, view: object, *folders: Path) -> str:
    loader = FileSystemLoader([*folders, *web.__path__])
    environment = Environment(loader=loader, autoescape=True, extensions=["jinja2.ext.i18n"])
    environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined]  # the extension adds it
    environment.globals["key"] = Markup
    give(environment)
    page = environment.from_string('{% import "kit/fields.html" as f %}{{ f[door](view) }}')
    return page.render(door=door, view=view).strip()


@pytest.fixture
def date(monkeypatch: pytest.MonkeyPatch) -> Field:
    """A field of a type that a module and two fragments add."""
    monkeypatch.setattr(fields, "_TYPES", dict(fields._TYPES))
    spec = spec_from_file_location("additions.date", ADDITIONS / "kit" / "fields" / "date.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return Field("day", "date", "When did it happen?")


def test_a_new_type_is_a_module_and_two_fragments(date: Field) -> None:
    entered = Asking(control="input.day", entered={"input.day": ["2026-11-21"]})
    assert '<input type="date" id="field-day" name="input.day" value="2026-11-21" required>' in _render(
        "ask", fields.ask(date, entered), ADDITIONS
    )
    assert fields.read(date, entered, {}) == "2026-11-21"
    assert fields.fill(date, "input.day", "2026-11-21") == {"input.day": ("2026-11-21",)}
    shown = _render("show", fields.show(date, "2026-11-21"), ADDITIONS)
    assert shown == '<time datetime="2026-11-21">2026-11-21</time>'
