"""Form next to the text of a configuration: its sections, the problems by field, or the reason why it waits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dynabench_tasks.configuration.yaml_text import UnusableYaml, parse_yaml

from web.configure.editor_view import ProblemLine
from web.configure.form_reading import digests
from web.configure.form_view import Control, TooLong, controls_of, sections_of
from web.kit.language import _
from web.kit.service_words import service_words

OPEN_AT_FIRST = ("about", "fields")


@dataclass(frozen=True)
class FormSection:
    """A section with its problems."""

    name: str
    heading: str
    controls: Sequence[Control]
    problems: int
    is_open: bool


@dataclass(frozen=True)
class Mistake:
    """Problem at a field, with the field's label and element."""

    label: str
    element: str
    problem: ProblemLine


@dataclass(frozen=True)
class FormPage:
    """The form; `waits` is the reason why this text has none.

    `problems` are keyed by the control's path; `names` are the task's fields.
    """

    sections: Sequence[FormSection] = ()
    marks: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, Sequence[ProblemLine]] = field(default_factory=dict)
    mistakes: Sequence[Mistake] = ()
    names: Sequence[str] = ()
    waits: str = ""

    def is_wrong_within(self, control: Control) -> bool:
        """Return whether a part of the form has a problem."""
        return any(each.path in self.problems for each in _all(control))


def form_page(text: str, problems: Iterable[ProblemLine] = ()) -> FormPage:
    """Return the form of a text, with each problem at its field, or at the part around it."""
    try:
        document = parse_yaml(text).document
    except UnusableYaml as err:
        return FormPage(waits=_unreadable(err))
    if document is not None and not isinstance(document, dict):
        return FormPage(waits=_("The YAML is not a task yet. Begin with a line such as “title: My task”."))
    try:
        controls = controls_of(document or {})
    except TooLong:
        return FormPage(waits=_("The YAML has more parts than the form can show. Edit it there."))
    known = {each.path: each for control in controls.values() for each in _all(control)}
    found: dict[str, list[ProblemLine]] = {}
    for problem in problems:
        found.setdefault(_nearest(problem.path, known), []).append(problem)
    return FormPage(
        sections=[_section(name, heading, inside, found) for name, heading, inside in sections_of(controls)],
        marks=digests(controls),
        problems=found,
        names=_names(document or {}),
        mistakes=[
            Mistake(known[path].label or known[path].value, known[path].element, problem)
            for path, problems_there in found.items()
            if path in known
            for problem in problems_there
        ],
    )


def _names(document: Mapping[str, object]) -> list[str]:
    """Return the short names of the fields of a task."""
    lists = [document.get(key) for key in ("context", "input")]
    fields = [each for entries in lists if isinstance(entries, list) for each in entries]
    return [str(each["name"]) for each in fields if isinstance(each, dict) and each.get("name")]


def _section(
    name: str, heading: str, controls: Sequence[Control], found: Mapping[str, Sequence[ProblemLine]]
) -> FormSection:
    paths = {each.path for control in controls for each in _all(control)}
    count = sum(len(problems) for path, problems in found.items() if path in paths)
    return FormSection(name, heading, controls, count, bool(count) or name in OPEN_AT_FIRST)


def _all(control: Control) -> list[Control]:
    """Yield a control and all controls within it; keys have no path of their own."""
    inside = [each for child in control.children for each in _all(child)]
    return [control, *inside] if control.path else inside


def _nearest(path: str, known: Mapping[str, Control]) -> str:
    """Return the path of the control that a problem belongs to; empty for the whole text."""
    while path and path not in known:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return path


def _unreadable(problem: UnusableYaml) -> str:
    if problem.line is None:
        return _(
            "The YAML can't be read: it %(reason)s. The form waits until you fix it.",
            reason=service_words(problem.reason),
        )
    return _(
        "The YAML can't be read from line %(line)s on. Fix it there. The form waits and keeps its content.",
        line=problem.line,
    )
