"""View of a round's examples as rows, with the filters."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.validation import RoundExample

from web.kit import words
from web.kit.answers import shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue
from web.kit.language import N_, NC_, _, pgettext
from web.kit.numbers import TimeView, count, moment, short_id
from web.kit.votes import shown_claim
from web.kit.words import RESOLUTION, RESOLUTIONS, VERDICT, VERDICTS, Word, in_words
from web.owner_work.options import OptionView, option_view
from web.owner_work.queue_view import DISAGREEMENTS

FILTERS = ("text", "verdict", "became", "tag", "author_id", "disagreement")
LONGEST = 200
BECAME = "what became of an example"
WITHOUT_RESOLUTION = {
    "no_claim": Word(NC_("what became of an example", "Agreed, no claim"), "–", "no-verdict"),
    "waiting": Word(NC_("what became of an example", "Being checked"), "○", "draft"),
    "unasked": Word(NC_("what became of an example", "Gets no votes"), "–", "no-verdict"),
    "retracted": Word(NC_("what became of an example", "Retracted"), "✕", "no-verdict"),
}
OPEN_VOTE = N_("You may still be asked to check it, so its claim and its votes are hidden.")


@dataclass(frozen=True)
class AuthorLink:
    """An author by a short name, with a link to their examples."""

    name: str
    address: str


@dataclass(frozen=True)
class ExampleRow:
    """An example in the list; a hidden one has neither claim nor votes. `is_waiting` for votes."""

    example_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    claimed: ShownValue | None
    verdict: Word
    became: Word
    votes: list[OptionView]
    tags: list[tuple[str, str]]
    author: AuthorLink
    created: TimeView | None
    hidden_because: str
    is_waiting: bool


def example_row(item: RoundExample, rules: TaskRules, kind: str, address: str) -> ExampleRow:
    """Return the view of an example; `address` is that of the list, `kind` the kind of the task's votes."""
    return ExampleRow(
        example_id=item.example_id,
        context=shown_values(item.context, rules),
        written=shown_values(item.input, rules),
        claimed=shown_claim(item.claimed, rules),
        verdict=words.verdict(item.verdict)
        if item.verdict
        else Word(_("Your vote is possible"), "–", "no-verdict"),
        became=became_word(item.became),
        votes=[option_view(each.option, rules, kind, count(each.count)) for each in item.votes],
        tags=[(tag, f"{address}?{urlencode({'tag': tag})}") for tag in item.tags],
        author=author_link(item.author_id, address),
        created=moment(item.created_at),
        hidden_because=_(OPEN_VOTE) if item.is_hidden else "",
        is_waiting=item.became == "waiting",
    )


def author_link(author_id: str, address: str) -> AuthorLink:
    """Return an author by the short form of their id."""
    name = _("author %(id)s", id=short_id(author_id))
    return AuthorLink(name, f"{address}?{urlencode({'author_id': author_id})}")


def became_word(name: str) -> Word:
    """Return the label of an example's outcome."""
    if name in WITHOUT_RESOLUTION:
        return in_words(WITHOUT_RESOLUTION[name], BECAME)
    return words.resolution(name) or Word(name, "–", "no-verdict")


def filter_choices() -> dict[str, dict[str, str]]:
    """Return the labelled options of each filter with a list."""
    resolutions = {name: pgettext(RESOLUTION, word.text) for name, word in RESOLUTIONS.items()}
    others = {name: pgettext(BECAME, word.text) for name, word in WITHOUT_RESOLUTION.items()}
    return {
        "verdict": {name: in_words(word, VERDICT).text for name, word in VERDICTS.items()},
        "became": resolutions | others,
        "disagreement": {name: _(said) for name, said in DISAGREEMENTS.items()},
    }


def example_filters(given: Mapping[str, str]) -> dict[str, str]:
    """Return the filters in an address, without invalid ones."""
    known: Mapping[str, Collection[str]] = {
        "verdict": VERDICTS,
        "became": {**RESOLUTIONS, **WITHOUT_RESOLUTION},
        "disagreement": DISAGREEMENTS,
    }
    chosen = {name: given.get(name, "").replace("\x00", "").strip()[:LONGEST] for name in FILTERS}
    if not _is_id(chosen["author_id"]):
        chosen["author_id"] = ""
    return {name: value for name, value in chosen.items() if value and value in known.get(name, (value,))}


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
