"""Answers of models as words, and what moved them."""

from dynabench_client.cli.output import plain
from dynabench_client.cli.values import shown
from dynabench_client.results.annotation import Inspection, TargetAnswer, Token

WRONG = {True: "  wrong", False: "  right", None: ""}


def described(answer: TargetAnswer) -> str:
    """Return an answer, such as "positive 91 %  wrong"; or why it is missing."""
    if answer.not_asked:
        return "not asked: a target of an earlier tier was right"
    if answer.value is None:
        return f"no answer: {answer.missing or 'unknown reason'}"
    sure = "" if answer.confidence is None else f" {answer.confidence * 100:.0f} %"
    return f"{plain(shown(answer.value))}{sure}{WRONG[answer.wrong]}"


def attributions(inspection: Inspection) -> dict[str, object]:
    """Return what was explained, how exactly, and the tokens that moved it, strongest first."""
    strongest = sorted(inspection.tokens, key=lambda token: -abs(token.weight))
    return {
        "target": inspection.target,
        "label": inspection.label,
        "probability": inspection.probability,
        "convergence delta": inspection.convergence_delta,
        "steps": inspection.n_steps,
        **{_place(token): f"{token.weight:+.3f}  {token.text}" for token in strongest},
    }


def _place(token: Token) -> str:
    return f"{token.field or 'text'} [{token.start}, {token.end})"
