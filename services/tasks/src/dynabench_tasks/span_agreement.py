"""Agreement of spans: by the words they cover, wherever they stand in the text.

Agreement of two spans is an F1 of at least 0.8 by the task's rule. The rule is SQuAD's `token_f1`, or `text_f1` where
the task names that one for verdicts. Agreement is not transitive. So a group's agreed answer is the largest set of
spans that all agree with one another. Among sets of one size, it is the set of the earliest spans.
"""

import json
from collections.abc import Iterable, Sequence

from dynabench_tasks.text_f1 import Likeness
from dynabench_tasks.token_f1 import token_f1

AGREEING_F1 = 0.8


def covered_text(span: str) -> str:
    """Return the text that a span, given as a value text, covers."""
    value = json.loads(span)
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise ValueError(f"{span[:50]!r} stands for no span")
    text: str = value["text"]
    return text


def texts_agree(one: str, other: str, likeness: Likeness = token_f1) -> bool:
    """Return whether two covered texts agree."""
    return likeness(one, other) >= AGREEING_F1


def agrees_with_any(span: str, others: Iterable[str], likeness: Likeness = token_f1) -> bool:
    """Return whether a span agrees with at least one of the others."""
    text = covered_text(span)
    return any(texts_agree(text, covered_text(other), likeness) for other in others)


def largest_agreeing_set(spans: Sequence[str], likeness: Likeness = token_f1) -> tuple[str, ...]:
    """Return the largest set of mutually agreeing spans, in their order; ties go to the earliest spans."""
    texts = [covered_text(span) for span in spans]
    later = [
        [other for other in range(each + 1, len(texts)) if texts_agree(text, texts[other], likeness)]
        for each, text in enumerate(texts)
    ]
    return tuple(spans[position] for position in _largest_set(later))


def _largest_set(later: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the first of the largest sets in the order of their positions.

    `later` holds, per position, the later positions that agree with it. Sets are grown in lexicographic order and
    only a strictly larger one replaces the best, so the first of its size stays.
    """
    best: tuple[int, ...] = ()
    open_sets: list[tuple[tuple[int, ...], Sequence[int]]] = [((), range(len(later)))]
    while open_sets:
        chosen, candidates = open_sets.pop()
        if len(chosen) > len(best):
            best = chosen
        if len(chosen) + len(candidates) <= len(best) or not candidates:
            continue
        first, rest = candidates[0], candidates[1:]
        agreeing = set(later[first])
        open_sets.append((chosen, rest))
        open_sets.append(((*chosen, first), [each for each in rest if each in agreeing]))
    return best
