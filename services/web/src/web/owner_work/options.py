"""Options for the decision on an example, and the answers of its votes, as value texts of the task."""

from dataclasses import dataclass, replace

from dynabench_client.results.validation import WorkItem
from markupsafe import Markup

from web.kit import fields, isolation
from web.kit.configuration import Field, TaskRules
from web.kit.fields import ShownValue
from web.kit.language import N_, _
from web.kit.numbers import percent
from web.kit.words import Word

FLAG = "flag"
VALUE = "decision.value"
JUDGEMENT = "judgement"
JUDGEMENTS = ("correct", "incorrect")
FLAG_OPTION = Word(N_("unfit"), "⚑", "flagged")


@dataclass(frozen=True)
class OptionView:
    """Answer of votes: a value of the task, or a flag."""

    value: ShownValue | None
    flag: Word | None
    number: str = ""


def posterior_words(item: WorkItem | None, rules: TaskRules, kind: str) -> str:
    """Return the posterior, for example `negative, 62.0 %`; empty if there is none."""
    found = item.posterior if item else None
    if found is None:
        return ""
    shown = option_view(found.label, rules, kind)
    said = isolation.text(shown.value.text) if shown.value else _(FLAG_OPTION.text)
    return Markup("{}, {}").format(said, percent(found.p))


def asked_field(rules: TaskRules) -> Field:
    """Return the field of a decision's value: the claimed one, with all possible answers."""
    claimed = rules.claimed
    if claimed is None:
        return Field("value", "multiclass", _("The answer"), labels=rules.options)
    return Field("value", claimed.type, claimed.label, labels=rules.options or claimed.labels, of=claimed.of)


def option_view(option: str, rules: TaskRules, kind: str, number: str = "") -> OptionView:
    """Return the label of a vote's value text; any other text unchanged."""
    if option == FLAG:
        return OptionView(None, replace(FLAG_OPTION, text=_(FLAG_OPTION.text)), number)
    field = asked_field(rules)
    if kind == JUDGEMENT:
        return OptionView(fields.show(Field("value", "string", ""), option), None, number)
    return OptionView(fields.show(field, field.value_of(option)), None, number)
