"""Labels and order of a configuration's keys in the form, for people without knowledge of YAML.

The task language alone defines the keys, their values and their defaults. A key without a label here still appears in
the form, under its own name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from web.kit.language import N_, _
from web.kit.service_words import service_words

Found = TypeVar("Found")
LABEL, HELP = 0, 1
ANYWHERE = "*"


@dataclass(frozen=True)
class Section:
    """A part of the form: its heading, and the keys of the configuration in it."""

    name: str
    heading: str
    keys: Sequence[str]


SECTIONS = (
    Section(
        "about", N_("What the task is"), ("title", "slug", "description", "languages", "content_warning")
    ),
    Section(
        "fields",
        N_("What people start from, write and claim"),
        ("context", "input", "output", "instance", "goal"),
    ),
    Section(
        "fooled", N_("When a model counts as fooled"), ("wrong_when", "ensemble", "tiers", "margin_hint")
    ),
    Section("help", N_("What helps people begin"), ("instructions", "tips", "worked_examples", "practice")),
    Section("votes", N_("How others check it"), ("validation",)),
    Section(
        "limits",
        N_("Who gets what, and how much of it"),
        ("quotas", "contexts", "conditions", "probes", "perturbations"),
    ),
    Section("questions", N_("What else people are asked"), ("metadata", "explanations")),
    Section("measures", N_("How models are compared"), ("metrics",)),
)
MORE = Section("more", N_("More"), ())

WORDS: dict[str, tuple[str, str]] = {
    "title": (N_("Title"), N_("What people read in the list of tasks.")),
    "slug": (
        N_("Name in addresses"),
        N_("Lower-case letters, digits and hyphens. It stays as it is once the task exists."),
    ),
    "description": (N_("Description"), N_("One or two sentences that make a stranger want to try it.")),
    "languages": (N_("Languages"), N_("Codes such as en or de, one a line.")),
    "content_warning": (
        N_("Content notice"),
        N_("Shown before anything else where texts may hurt. Leave it empty where none do."),
    ),
    "context": (N_("What people start from"), N_("Texts or pictures that you add to each round.")),
    "input": (
        N_("What people write and claim"),
        N_("Texts that they write, and the one answer that they claim to be right."),
    ),
    "output": (
        N_("What models answer"),
        N_("The claimed answer, with the same name, type and labels as above."),
    ),
    "instance": (
        N_("What models are sent"),
        N_(
            "The model's names for texts, each with the field that fills it. Empty: the texts that people write."
        ),
    ),
    "instance.*": (N_("Filled by the field"), ""),
    "*.name": (N_("Short name"), N_("For data files: lower-case letters, digits and underscores.")),
    "*.type": (N_("Kind"), ""),
    "*.label": (N_("What people read beside it"), ""),
    "*.labels": (N_("Labels"), N_("One a line.")),
    "*.meanings": (N_("What the labels mean"), N_("In plain words, for people who don't know them.")),
    "*.meanings.*": (N_("Label"), ""),
    "*.meanings.*.words": (N_("In plain words"), ""),
    "*.meanings.*.example": (N_("An example of it"), ""),
    "*.max_length": (N_("Most characters"), ""),
    "*.starts_from": (
        N_("Starts from the text of"),
        N_("The short name of a text that people start from, to be edited by them."),
    ),
    "*.of": (N_("Belongs to the field"), N_("The short name of the text that is marked, or of the labels.")),
    "*.optional": (N_("May be left empty"), ""),
    "goal": (N_("The goal"), ""),
    "goal.message": (N_("What people are asked to do"), N_("One sentence above the form.")),
    "goal.label": (N_("Who chooses the label"), ""),
    "goal.validated_errors": (N_("Validated errors that a round is to bring"), ""),
    "next_round": (N_("The next round"), N_("Once a round is released and every model is scored on it.")),
    "next_round.targets": (
        N_("How many models it is to have"),
        N_("The best of the board that err in different ways. Empty: as many as the round before."),
    ),
    "next_round.drafted": (N_("Who drafts it"), ""),
    "wrong_when": (N_("A model's answer is wrong when"), ""),
    "wrong_when.exact_match": (N_("Compared exactly"), ""),
    "wrong_when.exact_match.fields": (
        N_("Fields that are compared"),
        N_("The short name of the claimed answer."),
    ),
    "wrong_when.token_f1": (N_("Compared by shared words"), ""),
    "wrong_when.token_f1.field": (N_("Field that is compared"), N_("The short name of the claimed answer.")),
    "wrong_when.token_f1.below": (
        N_("Wrong if the likeness is below"),
        N_("From 0, no word in common, to 1, the same words."),
    ),
    "wrong_when.text_f1": (
        N_("Compared by words, numbers and symbols"),
        N_("In the task's languages. Votes on marked words are compared likewise."),
    ),
    "wrong_when.text_f1.field": (N_("Field that is compared"), N_("The short name of the claimed answer.")),
    "wrong_when.text_f1.below": (
        N_("Wrong if the likeness is below"),
        N_("From 0, nothing in common, to 1, the same answer."),
    ),
    "ensemble": (N_("People have fooled the models when"), ""),
    "ensemble.at_least": (N_("How many must be wrong"), ""),
    "tiers": (
        N_("Models that are asked first"),
        N_(
            "Cheap ones first. Those of a later tier are asked only when all before them were wrong; what is not named "
            "comes last. Only where all of the models must be wrong."
        ),
    ),
    "tiers.targets": (N_("Models"), N_("Their names as targets, one a line.")),
    "margin_hint": (N_("Tell people how sure the models were"), ""),
    "instructions": (N_("Guidelines"), N_("Markdown. What to do, what counts and what to leave out.")),
    "tips": (N_("Tips"), N_("How to fool a model of this task, one tip a line.")),
    "worked_examples": (N_("Worked examples"), N_("Good tries, with what makes them good.")),
    "worked_examples.context": (N_("What people start from"), ""),
    "worked_examples.input": (N_("What they write and claim"), ""),
    "worked_examples.why": (N_("Why it is a good one"), ""),
    "practice": (N_("Practice"), N_("What newcomers answer before they write their first own text.")),
    "practice.context": (N_("What the writer started from"), ""),
    "practice.input": (N_("What the writer wrote"), ""),
    "practice.answer": (N_("What people answer"), ""),
    "practice.model_said": (N_("What a model answered"), ""),
    "practice.because": (N_("Why people answer so, and what led the model"), ""),
    "validation": (N_("Votes"), ""),
    "validation.vote": (N_("What voters do"), ""),
    "validation.options": (N_("Answers that voters choose from"), N_("One a line. Empty: the labels.")),
    "validation.policy": (N_("How many votes"), ""),
    "validation.policy.adaptive": (N_("Until enough agree"), ""),
    "validation.policy.fixed": (N_("Always the same number"), ""),
    "*.agree": (N_("Votes that must agree"), ""),
    "*.max_votes": (N_("Most votes"), ""),
    "*.votes": (N_("Votes"), ""),
    "validation.validate": (N_("Which examples are voted on"), ""),
    "validation.validate.uncertain": (N_("Where a model was unsure"), ""),
    "*.margin_below": (
        N_("Lead of the first label over the second below"),
        N_("From 0 to 1: 0.1 is ten percent."),
    ),
    "validation.sample": (
        N_("Share of the other examples that is voted on too"),
        N_("From 0 to 1: 0.1 is every tenth."),
    ),
    "validation.gold": (N_("The right answer is"), ""),
    "validation.gold_rate": (
        N_("Share of known answers among what voters get"),
        N_("From 0 to 1: 0.05 is one of twenty."),
    ),
    "validation.lease_seconds": (N_("Seconds until an example goes to somebody else"), ""),
    "validation.reading_speed": (
        N_("Votes don't count if read faster than"),
        N_("Characters a second; 0 takes every vote."),
    ),
    "contexts": (N_("Order of what people start from"), ""),
    "contexts.policy": (N_("Which comes next"), ""),
    "conditions": (N_("Variants"), N_("Each person gets one of them by chance, to compare them.")),
    "conditions.name": (N_("Name"), ""),
    "conditions.weight": (N_("Weight"), N_("Twice the weight, twice as often.")),
    "conditions.context": (N_("What people start from is"), ""),
    "conditions.targets": (N_("Models that are asked"), ""),
    "quotas": (N_("Limits"), N_("Empty: no limit.")),
    "quotas.tries_per_context": (N_("Most tries of a person on one text"), ""),
    "quotas.tries_per_person": (N_("Most tries of a person in a round"), ""),
    "metadata": (N_("Questions"), ""),
    "metadata.create": (N_("For writers"), ""),
    "metadata.validate": (N_("For voters"), ""),
    "*.when": (N_("Asked only when"), N_("Empty: always.")),
    "*.verdict": (N_("The verdict is"), ""),
    "*.claimed": (N_("The writer claims one of"), N_("One a line.")),
    "*.vote": (N_("The vote is one of"), N_("One a line.")),
    "*.from_round": (N_("From the round with this number"), ""),
    "explanations": (N_("Explanations by writers"), ""),
    "probes": (N_("Trying without saving"), ""),
    "perturbations": (N_("Ask people for the smallest change that turns the label"), ""),
    "metrics": (N_("Measures"), ""),
    "metrics.primary": (N_("What counts as performance"), ""),
    "metrics.weights": (N_("Weights"), ""),
    "metrics.prices": (
        N_("Prices"),
        N_("How much of each is worth one point of performance. Empty: worked out from the models."),
    ),
    "*.performance": (N_("Performance"), ""),
    "*.fairness": (N_("Fairness"), ""),
    "*.latency": (N_("Waiting time"), ""),
    "*.memory": (N_("Memory"), ""),
    "*.robustness": (N_("Robustness"), ""),
    "*.throughput": (N_("Answers a second"), ""),
}

CHOICES: dict[str, str] = {
    "*.type=string": N_("A text"),
    "*.type=multiclass": N_("One of several labels"),
    "*.type=multilabel": N_("Any number of labels"),
    "*.type=span": N_("Words marked in a text"),
    "*.type=image": N_("A picture"),
    "*.type=probabilities": N_("How sure the model is of each label"),
    "goal.label=chosen": N_("The writer chooses it"),
    "next_round.drafted=by_owner": N_("Its owner, who sees what the board proposes"),
    "next_round.drafted=by_itself": N_("The platform, against the models that the board proposes"),
    "goal.label=assigned": N_("The writer is given one"),
    "wrong_when=exact_match": N_("It is not the same as the claimed one"),
    "wrong_when=token_f1": N_("It shares too few words with the claimed one (SQuAD's English rule)"),
    "wrong_when=text_f1": N_("It is too unlike the claimed one (any language, numbers and symbols)"),
    "wrong_when=ask_annotator": N_("The writer says so"),
    "ensemble=any": N_("Any of the models is wrong"),
    "ensemble=all": N_("All of the models are wrong"),
    "ensemble=at_least": N_("At least so many are wrong"),
    "validation.vote=label": N_("Answer themselves, without seeing the claim"),
    "validation.vote=judgement": N_("Say whether the claim is right"),
    "validation.policy=adaptive": N_("Until enough agree"),
    "validation.policy=fixed": N_("Always the same number"),
    "validation.validate=fooling": N_("Those that fooled the models"),
    "validation.validate=all": N_("All"),
    "validation.validate=uncertain": N_("Those on which a model was unsure"),
    "validation.gold=author_confirmed": N_("The writer's, if the voters confirm it"),
    "validation.gold=majority": N_("What most voters say"),
    "contexts.policy=least_fooled": N_("Where models were fooled least often"),
    "contexts.policy=least_used": N_("What was used least often"),
    "contexts.policy=uniform": N_("Any, by chance"),
    "contexts.policy=validation_failed": N_("Where votes went against the writers"),
    "conditions.context=shown": N_("Shown"),
    "conditions.context=hidden": N_("Hidden"),
    "conditions.targets=all": N_("All"),
    "conditions.targets=none": N_("None: every verdict stays open"),
    "metrics.primary=accuracy": N_("Share of right answers"),
    "metrics.primary=exact_match": N_("Share of exact answers"),
    "metrics.primary=macro_f1": N_("F1, averaged over the labels"),
    "metrics.primary=squad_f1": N_("F1 of the words in the answers"),
    "metrics.primary=text_f1": N_("F1 of the answers, in the task's languages"),
    "*.verdict=fooled": N_("Fooled"),
    "*.verdict=not_fooled": N_("Not fooled"),
    "*.verdict=undecided": N_("Not decided"),
    "explanations=optional": N_("Welcome"),
    "explanations=required_when_fooled": N_("Needed when a model was fooled"),
    "probes=none": N_("Not possible"),
    "probes=counted": N_("Possible, and counted"),
}

ENTRIES: dict[str, str] = {
    "context": N_("Add a text or picture"),
    "input": N_("Add a field"),
    "output": N_("Add an answer"),
    "instance": N_("Add a text"),
    "meanings": N_("Add a meaning"),
    "worked_examples": N_("Add an example"),
    "practice": N_("Add a practice item"),
    "conditions": N_("Add a variant"),
    "tiers": N_("Add a tier"),
    "create": N_("Add a question"),
    "validate": N_("Add a question"),
}


def label_of(keys: Sequence[str]) -> str:
    """Return the label of a key; `keys` is the path to it, without list positions."""
    known = _find(WORDS, ".".join(keys))
    return _(known[LABEL]) if known else keys[-1].replace("_", " ").capitalize()


def help_of(keys: Sequence[str], description: str) -> str:
    """Return the help text of a key; by default the task language's description."""
    known = _find(WORDS, ".".join(keys))
    if known:
        return _(known[HELP]) if known[HELP] else ""
    return service_words(description)


def choice_of(keys: Sequence[str], word: str) -> str:
    """Return the label of an option; by default the option itself."""
    known = _find(CHOICES, f"{'.'.join(keys)}={word}")
    return _(known) if known else word


def adding_to(key: str) -> str:
    """Return the label of the button that adds an entry to a list."""
    return _(ENTRIES[key]) if key in ENTRIES else _("Add")


def is_known(keys: Sequence[str]) -> bool:
    """Tell whether a key has a label here."""
    return _find(WORDS, ".".join(keys)) is not None


def _find(table: dict[str, Found], path: str) -> Found | None:
    """Return a table's entry for a path, or for its longest suffix with an entry."""
    if path in table:
        return table[path]
    while "." in path:
        path = path.partition(".")[2]
        if (found := table.get(f"{ANYWHERE}.{path}")) is not None:
            return found
    return None
