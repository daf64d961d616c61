"""The queue of examples that wait for the owner's decision."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.validation import WorkItem

from web.kit import words
from web.kit.answers import shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue
from web.kit.language import N_, _
from web.kit.numbers import TimeView, count, moment, short_id
from web.kit.round_actions import WORK_KINDS
from web.kit.votes import shown_claim
from web.kit.words import Word
from web.owner_work.options import OptionView, asked_field, option_view, posterior_words

FILTERS = ("kind", "claimed", "agreed", "disagreement")
DISAGREEMENTS = {
    "author": N_("no vote agrees with the author"),
    "voters": N_("the votes differ"),
}


@dataclass(frozen=True)
class WorkItemView:
    """An example in the queue."""

    example_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    claimed: ShownValue | None
    resolution: Word | None
    kinds: list[str]
    votes: list[OptionView]
    posterior: str
    waits_since: TimeView | None

    @property
    def summary(self) -> str:
        """A few words that identify the example."""
        return " · ".join(value.text for value in self.written)[:80] or short_id(self.example_id)


def work_item_view(item: WorkItem, rules: TaskRules, kind: str) -> WorkItemView:
    """Return the view of an example in the queue; `kind` is the kind of the task's votes."""
    return WorkItemView(
        example_id=item.example_id,
        context=shown_values(item.context, rules),
        written=shown_values(item.input, rules),
        claimed=shown_claim(item.claimed, rules),
        resolution=words.resolution(item.resolution),
        kinds=[_kind_words(each) for each in item.kinds if each.value != item.resolution],
        votes=[option_view(each.option, rules, kind, count(each.count)) for each in item.votes],
        posterior=posterior_words(item, rules, kind),
        waits_since=moment(item.oldest_at),
    )


def _kind_words(kind: str) -> str:
    return _(WORK_KINDS[kind][0]) if kind in WORK_KINDS else kind.replace("_", " ").capitalize()


def filters_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return the queue's filters in an address, without invalid ones."""
    chosen = {name: given.get(name, "") for name in FILTERS}
    known: Mapping[str, Collection[str]] = {"kind": WORK_KINDS, "disagreement": DISAGREEMENTS}
    return {name: value for name, value in chosen.items() if value and value in known.get(name, (value,))}


def label_options(rules: TaskRules) -> Sequence[str]:
    """Return the labels for filtering the queue; empty for other types of claim."""
    return asked_field(rules).labels if asked_field(rules).is_one_label else ()
