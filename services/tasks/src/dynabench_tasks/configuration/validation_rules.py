"""The `validation` block of a task configuration.

Annotation checks it and passes it on; the validation service and the leaderboard act on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_tasks.configuration.section import (
    ConfigurationError,
    Section,
    UnknownKind,
    kind_of,
    told,
    unknown,
    wrong_kind,
)
from dynabench_tasks.fields import Field

VOTES = ("label", "judgement")
JUDGEMENTS = ("correct", "incorrect")
GOLDS = ("author_confirmed", "majority")
MOST_VOTES = 25


@dataclass(frozen=True)
class ValidationRules:
    """How many people vote on what, and when their votes agree.

    `agree` of at most `votes` settle it; adaptive voting stops as soon as that is decided. `margin_below` is set
    when uncertain examples are validated: the least lead, in [0, 1], of a target's first label over its second.
    `sample` and `gold_rate` are shares in [0, 1].
    """

    vote: str
    options: tuple[str, ...]
    adaptive: bool
    agree: int
    votes: int
    validate: str
    margin_below: float | None
    sample: float
    gold: str
    gold_rate: float
    lease_seconds: int

    @property
    def vote_options(self) -> tuple[str, ...]:
        """Return what a vote can choose; nothing fixed where spans are marked."""
        return JUDGEMENTS if self.vote == "judgement" else self.options

    def document(self) -> Mapping[str, object]:
        """Return the block as its configuration says it, defaults filled in."""
        numbers = {"agree": self.agree, "max_votes" if self.adaptive else "votes": self.votes}
        uncertain = {"uncertain": {"margin_below": self.margin_below}}
        return {
            "vote": self.vote,
            **({"options": list(self.options)} if self.options else {}),
            "policy": {"adaptive" if self.adaptive else "fixed": numbers},
            "validate": self.validate if self.margin_below is None else uncertain,
            "sample": self.sample,
            "gold": self.gold,
            "gold_rate": self.gold_rate,
            "lease_seconds": self.lease_seconds,
        }


def read_validation_rules(section: Section, claimed: Field) -> ValidationRules:
    """Return the rules for votes on the claimed field. Raises ConfigurationError."""
    adaptive, agree, votes = _read_policy(section.section("policy"))
    validate, margin_below = _read_selection(section)
    vote = _read_vote(section, claimed)
    return section.finish(
        ValidationRules(
            vote=vote,
            options=_read_options(section, claimed.labels),
            adaptive=adaptive,
            agree=agree,
            votes=votes,
            validate=validate,
            margin_below=margin_below,
            sample=section.number("sample", 0, 1, 0.0),
            gold=_read_gold(section, vote),
            gold_rate=section.number("gold_rate", 0, 1, 0.0),
            lease_seconds=section.whole("lease_seconds", 30, 86_400, 300),
        )
    )


def _read_vote(section: Section, claimed: Field) -> str:
    """Free texts hardly ever agree, so people judge them instead of writing their own."""
    is_text = claimed.type_name == "string"
    given = section.take("vote", "judgement" if is_text else "label")
    vote = kind_of(given, section.at("vote"), VOTES, "vote mode")
    if is_text and vote == "label":
        raise ConfigurationError(
            section.at("vote"), f"is `label`, but {claimed.name} is free text", "Use `judgement`."
        )
    return vote


def _read_gold(section: Section, vote: str) -> str:
    gold = kind_of(section.take("gold", "author_confirmed"), section.at("gold"), GOLDS, "gold policy")
    if gold == "majority" and vote == "judgement":
        raise ConfigurationError(
            section.at("gold"), "is `majority`, but judgements agree on no answer", "Use `author_confirmed`."
        )
    return gold


def _read_options(section: Section, labels: tuple[str, ...]) -> tuple[str, ...]:
    if "options" not in section:
        section.take("options")
        return labels
    if not labels:
        raise ConfigurationError(section.at("options"), "stands where the claim has no labels", "Remove it.")
    options = section.texts("options", 60, 100)
    for label in labels:
        if label not in options:
            raise ConfigurationError(
                section.at("options"), f"lacks the task's label {label!r}", f"Add {label!r}."
            )
    return options


def _read_policy(section: Section) -> tuple[bool, int, int]:
    if not section.keys:
        return True, 2, 3
    if len(section.keys) > 1:
        raise ConfigurationError(section.path, "names two policies", "Name `adaptive` or `fixed`.")
    for name in section.keys:
        if name not in ("adaptive", "fixed"):
            error = unknown(name, ("adaptive", "fixed"), section.at(name), "is no policy that is known")
            raise UnknownKind(*told(error), "validation policy", name)
    adaptive, fixed = section.section("adaptive"), section.section("fixed")
    inner, most = (adaptive, "max_votes") if "adaptive" in section else (fixed, "votes")
    votes = inner.whole(most, 1, MOST_VOTES)
    return "adaptive" in section, inner.whole("agree", 1, votes), inner.finish(votes)


def _read_selection(section: Section) -> tuple[str, float | None]:
    value = section.take("validate", "fooling")
    if isinstance(value, dict):
        inner = Section(value, section.at("validate"))
        for name in inner.keys:
            if name != "uncertain":
                error = unknown(name, ("uncertain",), inner.at(name), "is no selection that is known")
                raise UnknownKind(*told(error), "selection", name)
        margin = inner.section("uncertain")
        inner.finish(None)
        return "uncertain", margin.finish(margin.number("margin_below", 0, 1))
    if not isinstance(value, str):
        raise wrong_kind(
            value, section.at("validate"), "`fooling`, `all` or `uncertain: {margin_below: 0.1}`"
        )
    return kind_of(value, section.at("validate"), ("fooling", "all"), "selection"), None
