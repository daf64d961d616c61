"""Lines that somebody uploads: items of a dataset, and predictions of a model."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import Field, InputRefused, check_values, nearest_name
from dynabench_tasks.json_lines import Findings, Line, LinesUnusable
from dynabench_tasks.values import Value, to_text

from evaluation.domain.diagnostics import is_suite, test_type
from evaluation.domain.items import Item

LONGEST_ID = 200
LONGEST_TAG, MOST_TAGS = 60, 20
LONGEST_TEST = 100
SUITE_KEYS = ("group", "test", "capability", "test_type", "same_as", "may_become")
ITEM_KEYS = ("id", "context", "input", "label", "golds", "tags", *SUITE_KEYS)
PASSED_OVER = ("author", "cohort", "condition", "targets", "votes", "explanations")
"""Keys of collections' records that nothing here needs."""
ANSWER, SCORE = "answer", "score"
PREDICTION_KEYS = ("id", ANSWER, SCORE)
MOST_MISSING_NAMED = 20
OWN_ID = "Give each item an id of its own."


class ItemsUnusable(LinesUnusable):
    """Lines are no items of the task."""


class PredictionsUnusable(LinesUnusable):
    """Lines are no predictions for the dataset."""


def read_items(lines: Iterable[Line], task: TaskConfiguration) -> Sequence[Item]:
    """Return the items on these lines. Raises ItemsUnusable."""
    found: dict[str, Item] = {}
    numbers: list[int] = []
    findings = Findings(ItemsUnusable)
    last = 0
    for line in lines:
        last = line.number
        try:
            item = _item(_document(line, (*ITEM_KEYS, *PASSED_OVER)), task)
            if item.item_id in found:
                raise InputRefused("id", f"{item.item_id[:50]!r} stands on an earlier line too", OWN_ID)
            found[item.item_id] = item
            numbers.append(line.number)
        except InputRefused as flaw:
            findings.add(line.number, flaw)
    if not found and not findings.count:
        findings.add(last + 1, InputRefused("file", "holds no item", "Write one JSON object on each line."))
    if not findings.count:
        _check_suite(found, numbers, findings)
    findings.raise_any()
    return list(found.values())


def _check_suite(found: Mapping[str, Item], numbers: Sequence[int], findings: Findings) -> None:
    """Record flaws that no suite may have; `numbers` are the line numbers of the items."""
    are_tests = is_suite(list(found.values()))
    originals = {item.same_as for item in found.values()}
    for number, item in zip(numbers, found.values(), strict=True):
        try:
            if are_tests and not item.test:
                raise InputRefused("test", "is missing, and other items have one", "Give each item its test.")
            if not item.is_judged and item.item_id not in originals:
                remedy = "Give its label, or name it in same_as of another item."
                raise InputRefused("label", "is missing, and no other item is held against this one", remedy)
            base = found.get(item.same_as)
            if item.same_as and (base is None or base.same_as):
                why = (
                    "is no item of the file" if base is None else "has to be answered as another item itself"
                )
                raise InputRefused("same_as", why, "Name the id of the item that was changed.")
        except InputRefused as flaw:
            findings.add(number, flaw)


def read_predictions(
    lines: Iterable[Line],
    items: Sequence[Item],
    task: TaskConfiguration,
    scale: tuple[float, float] = (0.0, 1.0),
) -> tuple[Sequence[Value] | Sequence[float], bool]:
    """Return the answer to each item, or its score, in the order of the items, for any order of lines.

    The second value tells whether they are scores, which are given within `scale` and returned within 0 to 1. Raises
    PredictionsUnusable, also where an item has no answer or two, and for lines with scores among lines with answers.
    """
    places = {item.item_id: place for place, item in enumerate(items)}
    answers: dict[int, Any] = {}
    kind = ""
    findings = Findings(PredictionsUnusable)
    last = 0
    for line in lines:
        last = line.number
        try:
            given = _document(line, PREDICTION_KEYS)
            item_id = _text(given.get("id"), "id", LONGEST_ID)
            place = places.get(item_id)
            if place is None:
                raise InputRefused(
                    "id", f"{item_id[:50]!r} is no item of the dataset", "Use the dataset's ids."
                )
            if place in answers:
                raise InputRefused("id", f"{item_id[:50]!r} stands on an earlier line too", "Answer it once.")
            kind = _kind(given, kind)
            item = items[place]
            answers[place] = (
                _score(given[SCORE], scale)
                if kind == SCORE
                else task.claimed_field.check_answer(
                    given.get(ANSWER), task.texts(item.context, item.input), ANSWER
                )
            )
        except InputRefused as flaw:
            findings.add(line.number, flaw)
    missing = [item.item_id for place, item in enumerate(items) if place not in answers]
    if missing and not findings.count:
        named = ", ".join(missing[:MOST_MISSING_NAMED])
        reason = f"has no line for {len(missing):,} of {len(items):,} items: {named}"
        findings.add(last + 1, InputRefused("id", reason, "Add an answer to each."))
    findings.raise_any()
    return [answers[place] for place in range(len(items))], kind == SCORE


def _kind(given: Mapping[str, Any], before: str) -> str:
    """Return which key the line has, that of the lines before it. Raises InputRefused."""
    kind = SCORE if SCORE in given else ANSWER
    if (kind == SCORE and ANSWER in given) or before not in ("", kind):
        remedy = "Give every line an answer, or every line a score."
        raise InputRefused(kind, "stands beside the other of score and answer", remedy)
    return kind


def _score(given: object, scale: tuple[float, float]) -> float:
    """Return a score within 0 to 1. Raises InputRefused."""
    low, high = scale
    if isinstance(given, bool) or not isinstance(given, int | float) or not low <= given <= high:
        remedy = "Name the ends of the scale as lowest and highest, or correct the score."
        raise InputRefused(SCORE, f"is no number from {low:g} to {high:g}", remedy)
    return (given - low) / (high - low)


def _document(line: Line, keys: Sequence[str]) -> Mapping[str, Any]:
    if line.flaw is not None:
        raise line.flaw
    if not isinstance(line.document, dict):
        raise InputRefused("line", "is not a JSON object", "Write one JSON object on each line.")
    for key in line.document:
        if key not in keys:
            raise InputRefused(str(key)[:60], "is not known here", nearest_name(str(key), keys))
    return line.document


def _item(given: Mapping[str, Any], task: TaskConfiguration) -> Item:
    item_id = _text(given.get("id"), "id", LONGEST_ID)
    context = task.check_context(_mapping(given.get("context", {}), "context"), "context")
    claimed = task.claimed_field
    written_given = _mapping(given.get("input"), "input")
    if claimed.name in written_given:
        raise InputRefused(f"input.{claimed.name}", "is the gold", "Move it to `label`.")
    context_texts = task.texts(context, {})
    written = check_values(task.fields.written, written_given, "input", context_texts)
    texts = task.texts(context, written)
    same_as = _optional_text(given, "same_as", LONGEST_ID)
    test, capability = (_optional_text(given, key, LONGEST_TEST) for key in ("test", "capability"))
    may_become = _may_become(given, texts, claimed)
    _check_test_type(given, test, same_as)
    has_gold = "golds" in given or given.get("label") is not None
    golds = () if same_as or (test and not has_gold) else _golds(given, texts, claimed)
    group = _optional_text(given, "group", LONGEST_ID)
    cluster = group or "".join(f"{key}={to_text(context[key])};" for key in sorted(context))
    tags = _tags(given.get("tags", []))
    cluster = cluster or same_as or item_id
    return Item(item_id, context, written, golds, cluster, tags, test, capability, same_as, may_become)


def _golds(given: Mapping[str, Any], texts: Mapping[str, str], claimed: Field) -> tuple[Value, ...]:
    golds = given["golds"] if "golds" in given else [given.get("label")]
    if not isinstance(golds, list) or not golds:
        raise InputRefused("golds", "is no list of answers", 'Send a list, or one answer as "label".')
    name = "golds" if "golds" in given else "label"
    return tuple(claimed.check(gold, texts, name) for gold in golds)


def _may_become(given: Mapping[str, Any], texts: Mapping[str, str], claimed: Field) -> tuple[Value, ...]:
    """Return the answers that an item of a test of direction may move to. Raises InputRefused."""
    given_answers = given.get("may_become")
    if given_answers is None:
        return ()
    if not isinstance(given_answers, list) or not given_answers:
        remedy = "Send the answers that it may move to, or leave the key out."
        raise InputRefused("may_become", "is no list of answers", remedy)
    if not given.get("same_as"):
        raise InputRefused(
            "same_as", "is missing, and may_become belongs to one", "Name the id of the original."
        )
    return tuple(claimed.check(answer, texts, "may_become") for answer in given_answers)


def _check_test_type(given: Mapping[str, Any], test: str, same_as: str) -> None:
    """Check the stated type of the test against the item's own fields. Raises InputRefused."""
    for key in ("capability", "test_type", "same_as"):
        if given.get(key) and not test:
            raise InputRefused("test", f"is missing, and {key} belongs to one", "Name the test.")
    if same_as and (given.get("label") is not None or given.get("golds")):
        remedy = "Leave out the label, or same_as."
        raise InputRefused("same_as", "stands beside a label: which of them is expected?", remedy)
    stated = given.get("test_type")
    fits = test_type(same_as, given.get("may_become") or ())
    if stated not in (None, fits):
        remedy = "Items with a label are of type MFT, those with same_as INV, those with may_become too DIR."
        raise InputRefused("test_type", f"is {str(stated)[:40]!r} where the item is of type {fits}", remedy)


def _optional_text(given: Mapping[str, Any], key: str, longest: int) -> str:
    return "" if given.get(key) is None else _text(given[key], key, longest)


def _tags(given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or len(given) > MOST_TAGS:
        raise InputRefused("tags", "is no list of a few tags", f"Send at most {MOST_TAGS} texts.")
    return tuple(_text(tag, f"tags[{place}]", LONGEST_TAG) for place, tag in enumerate(given))


def _text(given: object, field: str, longest: int) -> str:
    if not isinstance(given, str) or not given.strip():
        raise InputRefused(field, "is missing" if given is None else "is no text", "Send a text.")
    if len(given) > longest:
        raise InputRefused(field, f"is longer than {longest} characters", "Shorten it.")
    return given


def _mapping(given: object, field: str) -> Mapping[str, object]:
    if not isinstance(given, dict):
        raise InputRefused(
            field, "is missing" if given is None else "is no object", "Send the fields of the task."
        )
    return given
