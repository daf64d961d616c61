"""Questions beside the main ones, of which some depend on a choice made in the same form."""

from collections.abc import Iterable, Mapping, Sequence

from dynabench_client.results.annotation import Example
from dynabench_client.values import Value

from web.kit import fields
from web.kit.configuration import MetadataField, TaskRules
from web.kit.fields import Asking, FieldView, Held, Texts, When
from web.kit.problems import ProblemView
from web.kit.reading import INPUT, METADATA, Circumstances, words_of


def before_submit(rules: TaskRules, round_number: int) -> list[MetadataField]:
    """Return what is asked beside a text: all that does not hang on the verdict."""
    return [
        each
        for each in rules.create_metadata
        if "verdict" not in each.words and round_number >= each.from_round
    ]


def after_verdict(rules: TaskRules, example: Example, round_number: int) -> list[MetadataField]:
    """Return what is asked once the verdict is known, with what is still to be answered."""
    given = {"verdict": frozenset({example.verdict}), "claimed": words_of(example.claimed)}
    return [
        each
        for each in rules.create_metadata
        if each.is_asked(given, round_number)
        and ("verdict" in each.words or (not each.is_optional and each.field.name not in example.metadata))
    ]


def circumstances_before(claimed: Value | None) -> Circumstances:
    """Return what is known of a try before its verdict."""
    return {"claimed": words_of(claimed)}


def metadata_questions(
    asked: Iterable[MetadataField],
    held: Held,
    *,
    depends_on: Mapping[str, str] | None = None,
    passages: Texts | None = None,
    mirrored: Texts | None = None,
    problem: ProblemView | None = None,
) -> list[FieldView]:
    """Return metadata fields as questions; `depends_on` names the control of each kind of condition."""
    return [
        fields.ask(
            each.field,
            Asking(
                control=METADATA + each.field.name,
                held=held,
                is_required=not each.is_optional,
                when=_when(each, depends_on or {}),
                passages=passages or {},
                mirrored=mirrored or {},
                problem=problem,
            ),
        )
        for each in asked
    ]


def held_metadata(asked: Iterable[MetadataField], values: Mapping[str, Value]) -> Held:
    """Return the controls of a form that holds metadata already."""
    held: dict[str, Sequence[str]] = {}
    for each in asked:
        if each.field.name in values:
            held |= fields.hold(each.field, METADATA + each.field.name, values[each.field.name])
    return held


def claim_control(rules: TaskRules) -> dict[str, str]:
    """Return the control on which questions about the claim depend."""
    return {"claimed": INPUT + rules.claimed.name} if rules.claimed else {}


def _when(asked: MetadataField, depends_on: Mapping[str, str]) -> When | None:
    for kind, control in depends_on.items():
        if kind in asked.words:
            return When(control, asked.words[kind])
    return None
