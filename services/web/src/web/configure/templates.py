"""Starting points of a new task: small configurations that come with the pages, and the existing tasks."""

from dataclasses import dataclass
from pathlib import Path

from dynabench_client.results.annotation import Task
from dynabench_tasks.configuration.yaml_text import parse_yaml

from web.configure.follow import LONGEST_SLUG
from web.configure.text_edit import with_values
from web.kit.language import N_, _

USUAL = "labels"
TITLES: dict[str, tuple[str, str]] = {
    "labels": (N_("Label a text"), N_("People write a text and choose its label.")),
    "questions": (N_("Questions on a passage"), N_("People ask about a passage and mark the answer in it.")),
    "sentence-pairs": (
        N_("Pairs of sentences"),
        N_("People write a sentence that follows from another one, contradicts it, or neither."),
    ),
    "several-labels": (N_("Several labels"), N_("People write a text and choose all labels that fit.")),
    "pictures": (
        N_("Questions about pictures"),
        N_("People ask about a picture and answer in their own words."),
    ),
    "empty": (N_("Nearly empty"), N_("Only the parts that every task needs.")),
}
MOST_COPIED = 12
COPY = "copy-of-"


@dataclass(frozen=True)
class Template:
    """A template."""

    name: str
    title: str
    sentence: str
    is_chosen: bool

    @property
    def address(self) -> str:
        """Address that starts a new task from this template."""
        return f"/tasks/new?from={self.name}"


def templates(chosen: str) -> list[Template]:
    """Return the built-in templates."""
    return [
        Template(name, _(title), _(sentence), name == chosen) for name, (title, sentence) in TITLES.items()
    ]


def template_text(name: str) -> str:
    """Return the template of that name, or the default one."""
    known = name if name in TITLES else USUAL
    return (Path(__file__).parent / "templates" / f"{known}.yaml").read_text(encoding="utf-8")


def copied(task: Task, text: str) -> str:
    """Return a task's configuration as a start for another task, under another name."""
    slug = f"{COPY}{task.slug}"[:LONGEST_SLUG].rstrip("-")
    return named(text, slug, title=_("Copy of %(task)s", task=task.title))


def named(text: str, slug: str, **more: str) -> str:
    """Return a configuration under another name."""
    document = parse_yaml(text).document
    return with_values(text, {**document, "slug": slug, **more}) if isinstance(document, dict) else text
