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
        "about",
        N_("Task"),
        (
            "title",
            "slug",
            "description",
            "languages",
            "content_warning",
            "break_after_minutes",
            "public_examples",
            "access",
        ),
    ),
    Section(
        "fields",
        N_("Context, text and claim"),
        ("context", "input", "output", "instance", "goal"),
    ),
    Section("fooled", N_("Rule for fooling"), ("wrong_when", "ensemble", "tiers", "margin_hint")),
    Section(
        "help",
        N_("Help for newcomers"),
        ("instructions", "tips", "worked_examples", "practice", "onboarding"),
    ),
    Section("votes", N_("Checking"), ("validation",)),
    Section(
        "limits",
        N_("Order, variants and limits"),
        ("quotas", "contexts", "conditions", "probes", "perturbations"),
    ),
    Section("questions", N_("Further questions"), ("metadata", "explanations")),
    Section("measures", N_("Comparison of models"), ("metrics",)),
)
MORE = Section("more", N_("More"), ())

WORDS: dict[str, tuple[str, str]] = {
    "title": (N_("Title"), N_("Shown in the list of tasks.")),
    "slug": (
        N_("Address"),
        N_("Lower-case letters, digits and hyphens. You can't change it later."),
    ),
    "description": (N_("Description"), N_("One or two sentences that make a stranger want to try it.")),
    "languages": (N_("Languages"), N_("Codes such as en or de, one per line.")),
    "content_warning": (
        N_("Content notice"),
        N_("Shown first if texts of the task may hurt. Otherwise leave it empty."),
    ),
    "context": (
        N_("Context"),
        N_("Texts or pictures that people start from, called contexts. You add them to each round."),
    ),
    "input": (
        N_("Text and claim"),
        N_("The texts that people write, and the one answer that they claim is right."),
    ),
    "output": (
        N_("Answer of the models"),
        N_("The claimed answer, with the same name, type and labels as above."),
    ),
    "instance": (
        N_("Input of the models"),
        N_(
            "The model's name for each text, with the field that fills it. Empty: the texts that people write."
        ),
    ),
    "instance.*": (N_("Filled by the field"), ""),
    "*.name": (N_("Short name"), N_("For data files. Lower-case letters, digits and underscores.")),
    "*.type": (N_("Type"), ""),
    "*.label": (N_("Label on pages"), ""),
    "*.labels": (N_("Labels"), N_("One per line.")),
    "*.meanings": (N_("Meanings of the labels"), N_("In plain words, for people who don't know them.")),
    "*.meanings.*": (N_("Label"), ""),
    "*.meanings.*.words": (N_("Meaning"), ""),
    "*.meanings.*.example": (N_("Example"), ""),
    "*.max_length": (N_("Maximum length in characters"), ""),
    "*.starts_from": (
        N_("Starts with the text of"),
        N_("The short name of the context field that people edit."),
    ),
    "*.of": (N_("Belongs to the field"), N_("The short name of the marked text, or of the labels.")),
    "*.optional": (N_("Optional"), ""),
    "goal": (N_("Goal"), ""),
    "goal.message": (N_("Instruction"), N_("One sentence above the form.")),
    "goal.label": (N_("Who chooses the label"), ""),
    "goal.validated_errors": (N_("Goal: confirmed errors per round"), ""),
    "next_round": (N_("Next round"), N_("Drafted once a round is released and every model is scored on it.")),
    "next_round.targets": (
        N_("Number of models"),
        N_("The best of the board that make different errors. Empty: as many as in the round before."),
    ),
    "next_round.drafted": (N_("Who drafts it"), ""),
    "wrong_when": (N_("A model's answer is wrong when"), ""),
    "wrong_when.exact_match": (N_("Compared exactly"), ""),
    "wrong_when.exact_match.fields": (
        N_("Compared fields"),
        N_("The short name of the claimed answer."),
    ),
    "wrong_when.token_f1": (N_("Compared by shared words"), ""),
    "wrong_when.token_f1.field": (N_("Compared field"), N_("The short name of the claimed answer.")),
    "wrong_when.token_f1.below": (
        N_("Wrong if the similarity is below"),
        N_("From 0 (no common word) to 1 (the same words)."),
    ),
    "wrong_when.text_f1": (
        N_("Compared by words, numbers and symbols"),
        N_("In the task's languages. Votes on marked words are compared in the same way."),
    ),
    "wrong_when.text_f1.field": (N_("Compared field"), N_("The short name of the claimed answer.")),
    "wrong_when.text_f1.below": (
        N_("Wrong if the similarity is below"),
        N_("From 0 (nothing in common) to 1 (the same answer)."),
    ),
    "ensemble": (N_("Models count as fooled when"), ""),
    "ensemble.at_least": (N_("Number of wrong models"), ""),
    "tiers": (
        N_("Order of the models (tiers)"),
        N_(
            "Cheap ones first. A later tier is asked only if all earlier models were wrong. Unnamed "
            "models come last. Only for tasks where all models must be wrong."
        ),
    ),
    "tiers.targets": (N_("Models"), N_("Names of models to fool, one per line.")),
    "break_after_minutes": (
        N_("Minutes until a break is proposed"),
        N_("0 for never. If empty: 30 with a content notice, else never."),
    ),
    "margin_hint": (N_("How sure the models were"), ""),
    "instructions": (N_("Guidelines"), N_("Markdown. What to do, what counts, what to avoid.")),
    "tips": (N_("Tips"), N_("How to fool a model of this task. One tip per line.")),
    "worked_examples": (N_("Worked examples"), N_("Good tries, and the reason why each is good.")),
    "worked_examples.context": (N_("Context"), ""),
    "worked_examples.input": (N_("Text and claim"), ""),
    "worked_examples.why": (N_("Reason why it is good"), ""),
    "practice": (N_("Practice"), N_("Items that newcomers answer before they write a text.")),
    "practice.context": (N_("Context"), ""),
    "practice.input": (N_("Text"), ""),
    "practice.answer": (N_("Answer of people"), ""),
    "practice.model_said": (N_("Answer of a model"), ""),
    "practice.because": (N_("Explanation of both answers"), ""),
    "onboarding": (
        N_("Training"),
        N_("People confirm the guidelines, agree to a text and pass a quiz before they work."),
    ),
    "onboarding.activities": (N_("Needed before"), ""),
    "onboarding.guidelines_version": (
        N_("Version of the guidelines"),
        N_("With a higher number, everybody confirms the guidelines and takes the quiz again."),
    ),
    "onboarding.consent": (N_("Consent text"), N_("Empty: people agree to nothing else.")),
    "onboarding.consent.text": (N_("Text"), N_("Markdown.")),
    "onboarding.consent.version": (
        N_("Version of the text"),
        N_("With a higher number, everybody is asked to agree again."),
    ),
    "onboarding.quizzes": (N_("Quizzes"), ""),
    "onboarding.quizzes.create": (N_("Quiz before writing"), ""),
    "onboarding.quizzes.validate": (N_("Quiz before checking"), ""),
    "*.questions": (N_("Questions"), N_("Each attempt draws some of them.")),
    "*.questions.question": (N_("Question"), N_("It may quote a text to judge.")),
    "*.questions.options": (N_("Answers to choose from"), N_("One per line.")),
    "*.questions.answer": (N_("Right answer"), N_("As it stands above.")),
    "*.questions.because": (N_("Explanation"), N_("Shown after the answer.")),
    "*.draw": (N_("Questions of an attempt"), ""),
    "*.pass_mark": (N_("Right answers to pass"), ""),
    "*.attempts": (N_("Attempts of a person"), N_("For each version of the guidelines.")),
    "validation": (N_("Votes"), ""),
    "validation.vote": (N_("Task of checkers"), ""),
    "validation.options": (N_("Answers to choose from"), N_("One per line. Empty: the labels.")),
    "validation.policy": (N_("Number of votes"), ""),
    "validation.policy.adaptive": (N_("Until enough agree"), ""),
    "validation.policy.fixed": (N_("Always the same number"), ""),
    "*.agree": (N_("Votes that must agree"), ""),
    "*.max_votes": (N_("Maximum number of votes"), ""),
    "*.votes": (N_("Votes"), ""),
    "validation.validate": (N_("Examples to check"), ""),
    "validation.validate.uncertain": (N_("Examples where a model was unsure"), ""),
    "*.margin_below": (
        N_("Lead of the first label over the second is below"),
        N_("From 0 to 1: 0.1 is ten percent."),
    ),
    "validation.sample": (
        N_("Share of the other examples to check"),
        N_("From 0 to 1: 0.1 is one in ten."),
    ),
    "validation.gold": (N_("The right answer is"), ""),
    "validation.gold_rate": (
        N_("Share of known answers among the items to check"),
        N_("From 0 to 1: 0.05 is one in twenty."),
    ),
    "validation.lease_seconds": (N_("Seconds before an example goes to somebody else"), ""),
    "validation.reading_speed": (
        N_("Reading speed above which votes don't count"),
        N_("Characters per second. 0 accepts every vote."),
    ),
    "contexts": (N_("Order of contexts"), ""),
    "contexts.policy": (N_("Next context"), ""),
    "conditions": (N_("Variants"), N_("For experiments: each person gets one variant at random.")),
    "conditions.name": (N_("Name"), ""),
    "conditions.weight": (N_("Weight"), N_("A variant with twice the weight comes twice as often.")),
    "conditions.context": (N_("The context is"), ""),
    "conditions.targets": (N_("Models to fool"), ""),
    "quotas": (N_("Limits"), N_("Empty: no limit.")),
    "quotas.tries_per_context": (N_("Maximum tries per person and context"), ""),
    "quotas.tries_per_person": (N_("Maximum tries per person and round"), ""),
    "metadata": (N_("Questions"), ""),
    "metadata.create": (N_("For writers"), ""),
    "metadata.validate": (N_("For checkers"), ""),
    "*.when": (N_("Condition"), N_("Empty: always.")),
    "*.verdict": (N_("The verdict is"), ""),
    "*.claimed": (N_("The writer claims one of"), N_("One per line.")),
    "*.vote": (N_("The vote is one of"), N_("One per line.")),
    "*.from_round": (N_("From the round with this number"), ""),
    "explanations": (N_("Explanations by writers"), ""),
    "probes": (N_("Tests without saving"), ""),
    "public_examples": (
        N_("Publication of confirmed errors"),
        N_("Examples that are public at once can't be in a test split."),
    ),
    "access": (
        N_("People who see the task"),
        N_("Of a private task only owners, members and administrators see anything."),
    ),
    "perturbations": (N_("Smallest change that changes the label"), ""),
    "metrics": (N_("Measures"), ""),
    "metrics.primary": (N_("Measure of performance"), ""),
    "metrics.weights": (N_("Weights"), ""),
    "metrics.prices": (
        N_("Prices"),
        N_("The amount of each that is worth one point of performance. Empty: computed from the models."),
    ),
    "*.performance": (N_("Performance"), ""),
    "*.fairness": (N_("Fairness"), ""),
    "*.latency": (N_("Waiting time"), ""),
    "*.memory": (N_("Memory"), ""),
    "*.robustness": (N_("Robustness"), ""),
    "*.throughput": (N_("Answers per second"), ""),
}

CHOICES: dict[str, str] = {
    "*.type=string": N_("A text"),
    "*.type=multiclass": N_("One of several labels"),
    "*.type=multilabel": N_("Several labels"),
    "*.type=span": N_("Words marked in a text"),
    "*.type=image": N_("A picture"),
    "*.type=probabilities": N_("Probabilities of the labels"),
    "goal.label=chosen": N_("The writer chooses it"),
    "next_round.drafted=by_owner": N_("The owner, with suggestions from the board"),
    "next_round.drafted=by_itself": N_("The platform, with the models that the board suggests"),
    "goal.label=assigned": N_("The writer gets one"),
    "wrong_when=exact_match": N_("It differs from the claimed one"),
    "wrong_when=token_f1": N_("It shares too few words with the claimed one (SQuAD's English rule)"),
    "wrong_when=text_f1": N_("It differs too much from the claimed one (any language, numbers and symbols)"),
    "wrong_when=ask_annotator": N_("The writer decides"),
    "ensemble=any": N_("At least one model is wrong"),
    "ensemble=all": N_("All models are wrong"),
    "ensemble=at_least": N_("At least this many are wrong"),
    "validation.vote=label": N_("Give their own answer, without seeing the claim"),
    "validation.vote=judgement": N_("Say whether the claim is right"),
    "validation.policy=adaptive": N_("Until enough agree"),
    "validation.policy=fixed": N_("Always the same number"),
    "validation.validate=fooling": N_("Examples that fooled the models"),
    "validation.validate=all": N_("All"),
    "validation.validate=uncertain": N_("Examples on which a model was unsure"),
    "validation.gold=author_confirmed": N_("The writer's claim, if checkers agree with it"),
    "validation.gold=majority": N_("The answer of most checkers"),
    "contexts.policy=least_fooled": N_("Fewest fooled tries first"),
    "contexts.policy=least_used": N_("Least used first"),
    "contexts.policy=uniform": N_("Random"),
    "contexts.policy=validation_failed": N_("Most often not confirmed first"),
    "conditions.context=shown": N_("Shown"),
    "conditions.context=hidden": N_("Hidden"),
    "conditions.targets=all": N_("All"),
    "conditions.targets=none": N_("None: the verdict stays open"),
    "metrics.primary=accuracy": N_("Share of right answers"),
    "metrics.primary=exact_match": N_("Share of exact answers"),
    "metrics.primary=macro_f1": N_("F1, averaged over the labels"),
    "metrics.primary=squad_f1": N_("F1 of the words in the answers"),
    "metrics.primary=text_f1": N_("F1 of the answers, in the task's languages"),
    "*.verdict=fooled": N_("Fooled"),
    "*.verdict=not_fooled": N_("Not fooled"),
    "*.verdict=undecided": N_("Not decided"),
    "onboarding.activities=create": N_("Writing"),
    "onboarding.activities=validate": N_("Checking"),
    "explanations=optional": N_("Welcome"),
    "explanations=required_when_fooled": N_("Required when a model was fooled"),
    "public_examples=at_once": N_("As soon as it is confirmed"),
    "public_examples=after_release": N_("After the round is released"),
    "public_examples=never": N_("Never"),
    "access=everybody": N_("Everybody"),
    "access=invited": N_("Only invited people"),
    "probes=none": N_("Not allowed"),
    "probes=counted": N_("Allowed, and noted"),
}

ENTRIES: dict[str, str] = {
    "context": N_("Add a text or picture"),
    "input": N_("Add a field"),
    "output": N_("Add an answer"),
    "instance": N_("Add a text"),
    "meanings": N_("Add a meaning"),
    "worked_examples": N_("Add an example"),
    "practice": N_("Add a practice item"),
    "questions": N_("Add a question"),
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
    """Return whether a key has a label here."""
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
