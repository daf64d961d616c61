"""View of datasets for scoring: the list, and one with its variants and purpose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dynabench_client.results.models import Metrics, ScoredDataset

from web.kit.language import N_, NC_, _, pgettext
from web.kit.numbers import MISSING, TimeView, count, moment
from web.kit.service_words import service_words
from web.kit.words import Word

STATE = "state of a dataset"
STATES = {
    "preparing": Word(NC_("state of a dataset", "Being prepared"), "●", "open"),
    "ready": Word(NC_("state of a dataset", "Ready"), "✓", "correct"),
    "failed": Word(NC_("state of a dataset", "Failed"), "✕", "incorrect"),
}
ACCESS = {
    "open": N_("everybody (open)"),
    "scoring": N_("owners of the task (for scoring)"),
    "hidden": N_("nobody, only scores are shown (hidden)"),
}
RULES = {
    "contracted": N_("contractions"),
    "gender": N_("gender"),
    "homoglyphs": N_("look-alike letters"),
    "missing_space": N_("missing space"),
    "misspelt": N_("misspelt words"),
    "names": N_("names"),
    "neighbouring_key": N_("neighbouring key"),
    "other_case": N_("other case"),
    "other_punctuation": N_("other punctuation"),
    "split_word": N_("split word"),
    "swapped_letters": N_("swapped letters"),
    "zero_width": N_("invisible character"),
}
KINDS = {"fairness": N_("Fairness"), "robustness": N_("Robustness")}
OPEN, SCORING, HIDDEN = "open", "scoring", "hidden"
READY, PREPARING = "ready", "preparing"
ROUND = "round"


@dataclass(frozen=True)
class ScoredRow:
    """A dataset; `released` is the address of its files, if it is a released round."""

    address: str
    dataset_id: str
    name: str
    title: str
    version: str
    task: str
    origin: str
    released: str
    access: str
    licence: str
    items: str
    clusters: str
    variants: str
    state: Word
    reason: str
    made: TimeView | None
    is_preparing: bool
    is_ready: bool


@dataclass(frozen=True)
class RuleRow:
    """Number of variants made by a rule, and the rule's effect."""

    kind: str
    name: str
    summary: str
    number: str


def scored_row(found: ScoredDataset) -> ScoredRow:
    """Return the view of a dataset."""
    is_round = found.kind == ROUND
    number = found.round_number
    return ScoredRow(
        address=f"/datasets/scored/{found.dataset_id}",
        dataset_id=found.dataset_id,
        name=found.name,
        title=found.title or found.name,
        version=str(found.version),
        task=found.task_slug,
        origin=(_("released round %(number)s", number=number) if number else _("a released round"))
        if is_round
        else _("uploaded by an owner of the task"),
        released=f"/datasets/{found.dataset_id}" if is_round else "",
        access=_(ACCESS[found.access]) if found.access in ACCESS else found.access,
        licence=found.licence,
        items=count(found.items),
        clusters=count(found.clusters),
        variants=count(sum(found.variants.values())) if found.state == READY else MISSING,
        state=_state(found.state),
        reason=service_words(found.reason or ""),
        made=moment(found.created_at),
        is_preparing=found.state == PREPARING,
        is_ready=found.state == READY,
    )


def rule_rows(variants: Mapping[str, int], metrics: Metrics | None) -> Sequence[RuleRow]:
    """Return the number of variants per rule, sorted by kind; without `metrics` the summaries are empty."""
    known = {rule.name: rule for rule in metrics.variants} if metrics else {}
    rows = []
    for key, number in sorted(variants.items()):
        kind, _colon, name = key.partition(":")
        summary = service_words(known[name].summary) if name in known else ""
        rows.append(RuleRow(kind_words(kind), rule_words(name), summary, count(number)))
    return rows


def kind_words(kind: str) -> str:
    """Return the purpose of a kind of variants."""
    return _(KINDS[kind]) if kind in KINDS else kind


def rule_words(name: str) -> str:
    """Return the label of a rule; an unknown rule keeps its name."""
    return _(RULES[name]) if name in RULES else name.replace("_", " ")


def _state(name: str) -> Word:
    word = STATES.get(name, Word(name, "?", "closed"))
    return replace(word, text=pgettext(STATE, word.text))
