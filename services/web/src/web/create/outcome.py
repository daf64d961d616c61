"""The outcome of a try in words: who was fooled, the checks that follow, and the author's streak."""

from collections.abc import Sequence

from dynabench_client.results.annotation import Example

from web.kit.answers import AnswerView
from web.kit.configuration import TaskRules
from web.kit.language import _, ngettext

FEWEST_IN_A_ROW = 2
DECIDED = ("fooled", "not_fooled")


def headline(verdict: str, answers: Sequence[AnswerView]) -> str:
    """Return the headline on the fooled or right models; empty without a verdict or for a duplicate."""
    asked = [answer for answer in answers if not answer.missing]
    wrong, models = sum(answer.is_wrong for answer in asked), len(asked)
    if verdict == "not_fooled" and models and not wrong:
        return _all_right(models)
    if wrong == models and verdict == "fooled":
        return _all_fooled(models)
    if wrong and verdict == "fooled":
        return _("You fooled %(wrong)s of %(models)s models", wrong=wrong, models=models)
    if wrong and wrong < models and verdict == "not_fooled":
        return ngettext(
            "Only %(wrong)s of %(models)s models was fooled",
            "Only %(wrong)s of %(models)s models were fooled",
            wrong,
            wrong=wrong,
            models=models,
        )
    return ""


def _all_fooled(models: int) -> str:
    if models == 2:
        return _("You fooled both models")
    return ngettext("You fooled the model", "You fooled all %(models)s models", models, models=models)


def _all_right(models: int) -> str:
    if models == 2:
        return _("Both models got it right")
    return ngettext("The model got it right", "All %(models)s models got it right", models, models=models)


def checks(rules: TaskRules) -> str:
    """Return how many people check a text that fooled a model, at least."""
    return ngettext(
        "%(people)s person will check it.",
        "%(people)s people will check it.",
        rules.checkers,
        people=_("Two") if rules.checkers == 2 else str(rules.checkers),
    )


def streak(examples: Sequence[Example]) -> str:
    """Return how many of the person's newest tries in a row fooled; empty below two. `examples` are newest first."""
    fooling = 0
    for example in examples:
        if example.verdict not in DECIDED:
            continue
        if not example.fooled or example.is_duplicate or example.retracted_at is not None:
            break
        fooling += 1
    return _("%(tries)s in a row", tries=fooling) if fooling >= FEWEST_IN_A_ROW else ""
