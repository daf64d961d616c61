"""A marked claim that cuts a word: the person confirms or corrects it before it is stored."""

from collections.abc import Mapping

from dynabench_tasks.values import Value, Values
from flask import request

from web.create.form import CutView
from web.kit.configuration import TaskRules
from web.kit.fields import Texts
from web.kit.whole_words import whole_words

WHOLE, AS_MARKED = "whole", "as-marked"


def settled_claim(rules: TaskRules, values: Values, texts: Texts) -> tuple[Values, CutView | None]:
    """Return the values that the person means, and the question if that is open.

    The form names the mark of the question, so an answer about one mark does not apply to another.
    """
    span = values.get(rules.claimed.name) if rules.claimed and rules.claimed.is_marked else None
    if rules.claimed is None or not isinstance(span, Mapping):
        return values, None
    text, marked = texts.get(rules.claimed.of, ""), (int(span["start"]), int(span["end"]))
    start, end = whole_words(text, *marked)
    if (start, end) == marked:
        return values, None
    place = "{}-{}".format(*marked)
    answer = request.form.get("cut") if request.form.get("cut_at") == place else None
    if answer == AS_MARKED:
        return values, None
    whole: Value = {"start": start, "end": end, "text": text[start:end]}
    if answer == WHOLE:
        return {**values, rules.claimed.name: whole}, None
    return values, CutView(str(span["text"]), place, text[start:end])
