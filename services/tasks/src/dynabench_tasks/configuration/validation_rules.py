"""The `validation` block of a task configuration.

Annotation checks it and passes it on; the validation service and the leaderboard act on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys, OneOf
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Number, Text, Whole, Word
from dynabench_tasks.fields import Field
from dynabench_tasks.fields.labels import Labels

VOTES = ("label", "judgement")
JUDGEMENTS = ("correct", "incorrect")
GOLDS = ("author_confirmed", "majority")
MOST_VOTES = 25
MOST_READING_SPEED = 10_000
USUAL_READING_SPEED = 100
"""The value for new tasks: over three times the speed of fast readers. In 190 studies adults read 238 words of English
non-fiction a minute, most of them 175 to 300. 300 words a minute are 30 characters a second (M. Brysbaert, 2019,
Journal of Memory and Language 109). A configuration without the key accepts every vote.
"""
USUAL_POLICY = ("adaptive", {"agree": 2, "max_votes": 3})
_VOTES = Key(Whole(1, MOST_VOTES))
_SHARE = Key(Number(0, 1), 0.0)
VALIDATION = Keys(
    {
        "vote": Key(Word(VOTES, "vote mode"), None),
        "options": Key(Labels(Text(60), 1, 100), None),
        "policy": Key(
            OneOf(
                (),
                {
                    "adaptive": Keys({"agree": _VOTES, "max_votes": _VOTES}),
                    "fixed": Keys({"agree": _VOTES, "votes": _VOTES}),
                },
                "validation policy",
                when_empty=USUAL_POLICY,
            ),
            USUAL_POLICY,
        ),
        "validate": Key(
            OneOf(
                ("fooling", "all"),
                {"uncertain": Keys({"margin_below": Key(Number(0, 1))})},
                "selection",
                "`fooling`, `all` or `uncertain: {margin_below: 0.1}`",
            ),
            ("fooling", None),
        ),
        "sample": _SHARE,
        "gold": Key(Word(GOLDS, "gold policy"), "author_confirmed"),
        "gold_rate": _SHARE,
        "lease_seconds": Key(Whole(30, 86_400), 300),
        "reading_speed": Key(Whole(0, MOST_READING_SPEED), 0),
    }
)


@dataclass(frozen=True)
class ValidationRules:
    """The rules of voting: the examples to vote on, the number of votes, and their agreement.

    `agree` of at most `votes` settle it; adaptive voting stops as soon as that is decided. `margin_below` is set when
    uncertain examples are validated. It is the least lead, in [0, 1], of a target's first label over its second.
    `sample` and `gold_rate` are shares in [0, 1]. `reading_speed` is in characters a second. A vote given faster than
    that is evidence only; 0 accepts every vote.
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
    reading_speed: int = 0

    @property
    def vote_options(self) -> tuple[str, ...]:
        """Return the options of a vote; none where spans are marked."""
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
            **({"reading_speed": self.reading_speed} if self.reading_speed else {}),
        }


def make_validation_rules(
    given: Mapping[str, Any], place: Place, claimed: Field | None, reading: Reading
) -> ValidationRules | None:
    """Return the rules for votes on the claimed field; None if they are unusable; `reading` has the reasons."""
    before = len(reading.problems)
    vote = _vote_of(given["vote"], place, claimed, reading)
    if given["gold"] == "majority" and vote == "judgement":
        reason = "is `majority`, but judgements agree on no answer"
        reading.refuse((*place, "gold"), reason, "Use `author_confirmed`.")
    policy, agree, votes = _policy_of(given["policy"], place, reading)
    options = _options_of(given["options"], place, claimed, reading)
    is_whole = INVALID not in (*given.values(), agree, votes) and len(reading.problems) == before
    if claimed is None or not is_whole:
        return None
    validate, margin = given["validate"]
    if margin is INVALID or (margin is not None and margin["margin_below"] is INVALID):
        return None
    return ValidationRules(
        vote=vote,
        options=options,
        adaptive=policy == "adaptive",
        agree=agree,
        votes=votes,
        validate=validate,
        margin_below=None if margin is None else margin["margin_below"],
        sample=given["sample"],
        gold=given["gold"],
        gold_rate=given["gold_rate"],
        lease_seconds=given["lease_seconds"],
        reading_speed=given["reading_speed"],
    )


def _vote_of(vote: Any, place: Place, claimed: Field | None, reading: Reading) -> Any:
    """Free texts hardly ever agree, so people judge them instead of writing their own."""
    if claimed is None:
        return vote
    is_text = claimed.type_name == "string"
    if is_text and vote == "label":
        reason = f"is `label`, but {claimed.name} is free text"
        return reading.refuse((*place, "vote"), reason, "Use `judgement`.")
    return ("judgement" if is_text else "label") if vote is None else vote


def _options_of(options: Any, place: Place, claimed: Field | None, reading: Reading) -> tuple[str, ...]:
    if claimed is None or options is INVALID:
        return ()
    if options is None:
        return claimed.labels
    here = (*place, "options")
    if not claimed.labels:
        reading.refuse(here, "is set where the claim has no labels", "Remove it.")
    for label in claimed.labels:
        if label not in options:
            reading.refuse(here, f"lacks the task's label {label!r}", f"Add {label!r}.")
    return tuple(options)


def _policy_of(policy: Any, place: Place, reading: Reading) -> tuple[str, Any, Any]:
    if policy is INVALID or policy[1] is INVALID:
        return "", INVALID, INVALID
    name, numbers = policy
    agree, votes = numbers["agree"], numbers["max_votes" if name == "adaptive" else "votes"]
    if INVALID not in (agree, votes) and agree > votes:
        here = (*place, "policy", name, "agree")
        reading.refuse(here, f"is {agree}", f"Give a number from 1 to {votes}.")
    return name, agree, votes
