"""Try of a visitor on the front page: the form, and the model's answer."""

from dataclasses import dataclass

from dynabench_client.results.annotation import FrontAnswer, FrontModel

from web.kit import words
from web.kit.numbers import percent
from web.kit.problems import ProblemView
from web.kit.words import LabelView, Word


@dataclass(frozen=True)
class FrontTryResult:
    """The verdict: the claim, the model's answer, and its confidence; empty if the model gave none."""

    verdict: Word
    fooled: bool
    claimed: LabelView
    said: LabelView
    sure: str


@dataclass(frozen=True)
class FrontTryView:
    """The form with its text; `is_open` while there is a model to ask.

    Otherwise a worked example replaces it, with `example_verdict`.
    """

    is_open: bool
    model: str
    labels: list[LabelView]
    longest_text: int
    text: str
    problem: ProblemView | None
    result: FrontTryResult | None
    example_verdict: Word


def front_try(
    model: FrontModel | None,
    *,
    text: str = "",
    claimed: str = "",
    answer: FrontAnswer | None = None,
    problem: ProblemView | None = None,
) -> FrontTryView:
    """Return the form, after a try with its result or the reason for a missing one."""
    labels = model.labels if model else ()
    return FrontTryView(
        is_open=model is not None and model.model is not None,
        model=model.model or "" if model else "",
        labels=words.labels(labels, (claimed,)),
        longest_text=model.longest_text if model else 0,
        text=text,
        problem=problem,
        result=_result(answer, claimed, labels) if answer else None,
        example_verdict=words.verdict("fooled"),
    )


def _result(answer: FrontAnswer, claimed: str, labels: tuple[str, ...]) -> FrontTryResult:
    share = answer.probabilities.get(answer.label)
    return FrontTryResult(
        verdict=words.verdict("fooled" if answer.fooled else "not_fooled"),
        fooled=answer.fooled,
        claimed=words.label(claimed, labels),
        said=words.label(answer.label, labels),
        sure="" if share is None else percent(share, 0),
    )
