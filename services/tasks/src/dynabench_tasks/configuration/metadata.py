"""What people are asked beside the example itself, and under which conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_tasks.configuration.section import ConfigurationError, Section, chosen, refuse_twice, unknown
from dynabench_tasks.fields import Field, InputRefused, Texts, read_field
from dynabench_tasks.values import Value

MOST_FIELDS = 20
VERDICTS = ("fooled", "not_fooled", "undecided")
FLAG = "flag"
HIGHEST_ROUND = 10_000


@dataclass(frozen=True)
class Circumstances:
    """What decides whether a metadata field is asked for: words by kind of condition, and the round's number."""

    words: Mapping[str, frozenset[str]]
    round_number: int


@dataclass(frozen=True)
class MetadataField:
    """A field with the conditions under which it is asked for, which must all hold.

    `words` maps a kind of condition (`verdict` and `claimed`, or `vote`) to the words that fulfil it.
    """

    field: Field
    is_optional: bool
    words: Mapping[str, tuple[str, ...]]
    from_round: int

    def is_asked(self, circumstances: Circumstances) -> bool:
        """Tell whether the field is asked for."""
        return circumstances.round_number >= self.from_round and all(
            circumstances.words.get(kind, frozenset()) & set(words) for kind, words in self.words.items()
        )

    def document(self) -> Mapping[str, object]:
        """Return the field as its configuration says it."""
        when: dict[str, object] = {kind: list(words) for kind, words in self.words.items()}
        if self.from_round > 1:
            when["from_round"] = self.from_round
        return {
            **self.field.document(),
            "optional": self.is_optional,
            **({"when": when} if when else {}),
        }


def read_metadata(
    section: Section, key: str, kinds: Mapping[str, tuple[str, ...]], texts: Sequence[str]
) -> tuple[MetadataField, ...]:
    """Return the fields of a list.

    `kinds` maps each kind of condition to its known words, `texts` names the texts that can be marked. Raises
    ConfigurationError.
    """
    if key not in section:
        section.take(key)
        return ()
    fields = tuple(_read(entry, kinds, texts) for entry in section.sections(key, 0, MOST_FIELDS))
    refuse_twice([each.field.name for each in fields], section.at(key))
    return fields


def _read(section: Section, kinds: Mapping[str, tuple[str, ...]], texts: Sequence[str]) -> MetadataField:
    is_optional = section.flag("optional")
    when = section.section("when")
    words = {kind: _read_words(when, kind, known) for kind, known in kinds.items() if kind in when}
    for kind in kinds:
        when.take(kind)
    from_round = when.finish(when.whole("from_round", 1, HIGHEST_ROUND, 1))
    made = read_field(section)
    if made.type_name in ("probabilities", "image"):
        raise ConfigurationError(
            section.at("type"), f"is {made.type_name}", "Use string, span, multiclass or multilabel here."
        )
    if made.refers_to is not None and made.refers_to not in texts:
        raise unknown(made.refers_to, texts, section.at("of"), f"is {made.refers_to!r}, no text of this task")
    return MetadataField(made, is_optional, words, from_round)


def _read_words(when: Section, kind: str, known: tuple[str, ...]) -> tuple[str, ...]:
    words = when.texts(kind, 60, 100)
    return tuple(chosen(word, f"{when.at(kind)}[{position}]", known) for position, word in enumerate(words))


def check_metadata(
    fields: tuple[MetadataField, ...],
    given: Mapping[str, object],
    circumstances: Circumstances,
    beside: Texts,
) -> dict[str, Value]:
    """Return what was given, checked, in the order of the configuration.

    A field whose conditions speak of something that is not decided yet, such as the verdict of a try that is only
    submitted, may still be missing. Raises InputRefused for one that is not asked for, is missing or can't be used.
    """
    asked = [each for each in fields if each.is_asked(circumstances)]
    names = {each.field.name for each in asked}
    for name in given:
        if name not in names:
            known = any(each.field.name == name for each in fields)
            reason = "is not asked for here" if known else "is no metadata field of this task"
            raise InputRefused(f"metadata.{name}", reason, "Leave it out.")
    found = {}
    for each in asked:
        name = each.field.name
        if given.get(name) is not None:
            found[name] = each.field.check(given[name], beside, f"metadata.{name}")
        elif not each.is_optional:
            raise InputRefused(f"metadata.{name}", "is missing", f"Answer “{each.field.label}”.")
    return found
