"""Starter models: an owner gives a few examples for each label, and the platform makes a weak model of them."""

from dataclasses import dataclass

from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.service import MAX_BODY_BYTES
from flask import Blueprint, Response, request

from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

LONGEST_NAME = 50
LONGEST_EXAMPLES = 5_000
BYTES_A_CHARACTER = 9
"""Size of a character in a form at most: three bytes, each written as a percent sign and two digits."""
OTHER_BYTES = 10_000
"""Room in the form for all that is no example."""
MOST_FIELDS = 2
BETWEEN = "|"
"""Separates the texts of an example with two."""

blueprint = Blueprint("starter", __name__)


@dataclass(frozen=True)
class LabelExamples:
    """A label with the text area of its examples."""

    label: str
    control: str
    given: str


@blueprint.get("/tasks/<slug>/starter")
@requires(Permission.DECIDE_ON_MODELS)
def get_starter(slug: str) -> Response:
    """Show the form for examples."""
    return _form(slug)


@blueprint.post("/tasks/<slug>/starter")
@requires(Permission.DECIDE_ON_MODELS)
def post_starter(slug: str) -> Response:
    """Make the model and show its checks."""
    ensure(Permission.DECIDE_ON_MODELS, task=slug)
    rules = task_rules(platform().annotation.task(slug))
    model = request.form.get("model", "").strip()
    outcome = attempt(lambda: platform().registry.make_starter(slug, model, _examples(rules)))
    if outcome.value is None:
        return _form(slug, outcome.problem, model)
    return go_to(f"/submissions/{outcome.value.submission_id}", "starter-made")


def _form(slug: str, problem: ProblemView | None = None, model: str = "") -> Response:
    ensure(Permission.DECIDE_ON_MODELS, task=slug)
    rules = task_rules(platform().annotation.task(slug))
    texts = [_name(rules, source) for source in rules.instance.values()]
    return page(
        "submissions/starter.html",
        problem.status if problem else 200,
        task=rules,
        labels=[
            LabelExamples(label, _control(place), request.form.get(_control(place), ""))
            for place, label in enumerate(rules.labels)
        ],
        is_possible=bool(rules.labels) and len(texts) <= MOST_FIELDS,
        texts=texts if len(texts) > 1 else [],
        between=BETWEEN,
        longest=_longest(len(rules.labels)),
        model=model or f"{slug[: LONGEST_NAME - len('-starter')].rstrip('-')}-starter",
        problem=problem,
    )


def _longest(labels: int) -> int:
    """Return how many characters of examples a label can have, so that those of all labels fit into a request."""
    room = (MAX_BODY_BYTES - OTHER_BYTES) // BYTES_A_CHARACTER
    return min(LONGEST_EXAMPLES, room // max(1, labels))


def _examples(rules: TaskRules) -> list[dict[str, list[str]]]:
    """Return the examples of the form; the same texts under several labels are one example."""
    found: dict[tuple[str, ...], list[str]] = {}
    for place, label in enumerate(rules.labels):
        for line in request.form.get(_control(place), "").splitlines():
            parts = line.split(BETWEEN) if len(rules.instance) > 1 else [line]
            texts = tuple(part.strip() for part in parts)
            if any(texts):
                found.setdefault(texts, []).append(label)
    return [{"texts": list(texts), "labels": labels} for texts, labels in found.items()]


def _control(place: int) -> str:
    return f"examples.{place}"


def _name(rules: TaskRules, source: str) -> str:
    known = {each.name: each.label for each in (*rules.context, *rules.input)}
    return known.get(source, source)
