"""Numbers of a round for those who look after it, as a real-looking collection would have them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from web_fake_figures import ASKED, SEGMENTS, START, figures, outcomes, rate
from web_fake_votes import CAST_VOTE

VOTERS = [str(UUID(int=number)) for number in (0xA1B2C3D4, 0xB7E1F200, 0xC0FFEE00)]


def measure(value: float | None, n: int = 0, reason: str | None = None) -> dict[str, Any]:
    return {"value": value, "n": n, "reason": reason}


def headline(found: dict[str, Any]) -> dict[str, Any]:
    numbers = figures(1204, 402, 310, 92)
    rates = ("mer", "vmer", "vmer_range", "vmer_projected")
    kept = ("tries", "fooled", "unknown", "validated_errors", "pending", *rates)
    about = {name: found[name] for name in ("round_id", "task_slug", "number", "title", "state")}
    return {
        **about,
        **{name: numbers[name] for name in kept},
        "origin": "",
        "outcomes": outcomes(1204, 402, 310, 92),
        "as_of": "2026-01-08T14:02:11Z",
    }


def standing(round_id: str) -> dict[str, Any]:
    points = [
        {"at": (START + timedelta(hours=2 * step)).isoformat(), "validated": round(7.75 * step)}
        for step in range(1, 41)
    ]
    return {
        "round_id": round_id,
        "task_slug": "sentiment",
        "number": 3,
        "title": "",
        "state": "open",
        "origin": "",
        "opened_at": START.isoformat(),
        "funnel": {
            "tries": 1204,
            "decided": 1204,
            "undecided": 0,
            "unknown": 0,
            "no_target": 0,
            "fooled": 402,
            "resolved": 310,
            "correct": 264,
            "incorrect": 31,
            "flagged": 6,
            "disputed": 9,
            "no_claim": 0,
            "retracted": 14,
            "pending": 92,
        },
        "burn_up": {
            "goal": 500,
            "points": points,
            "per_day": 93.0,
            "forecast": {"low": "2026-01-10", "expected": "2026-01-11", "high": "2026-01-13"},
            "reason": None,
        },
        "authors": {"people": 41, "top5_share": 0.38, "top1_share": 0.12, "hhi": 0.06},
        "labels": {
            "claimed": {"negative": 610, "neutral": 204, "positive": 390},
            "gold": {"negative": 140, "neutral": 52, "positive": 118, "mixed": 12},
        },
        "cohorts": {"volunteer": 900, "crowd": 304},
        "as_of": "2026-01-08T14:02:11Z",
    }


def next_round() -> dict[str, Any]:
    said = (
        ("goal", "not_yet", "310 of 500 confirmed errors."),
        ("saturation", "now", "Fool rate: 21.0 % in the last quarter of the tries, 36.1 % before."),
        ("yield", "unknown", "Too many examples still wait for votes."),
        ("validity", "now", "People agreed with the author in 85.2 % of the checked tries that fooled."),
        ("pending", "not_yet", "92 examples are being checked."),
    )
    numbers = {"value": None, "threshold": None}
    evidence = [{"name": name, "says": says, "text": text, **numbers} for name, says, text in said]
    return {"advice": "soon", "evidence": evidence}


def effort() -> dict[str, Any]:
    survival = [
        {
            "tries": tries,
            "share": 0.72**tries,
            "at_risk": 480 - 60 * tries,
            "low": 0.66**tries,
            "high": 0.78**tries,
        }
        for tries in range(1, 7)
    ]
    steeper = [{**point, "share": 0.6 ** point["tries"], "low": None, "high": None} for point in survival]
    items = [
        {
            "target": target,
            "tries_per_fooling": rate(tries, tries - 0.3, tries + 0.4, 1204),
            "minutes_per_validated_error": minutes,
            "survival": points,
        }
        for target, tries, minutes, points in (
            (None, 3.0, measure(7.4, 310), steeper),
            ("sentiment-minilm", 3.3, measure(8.1, 288), survival),
            ("n-gram-b", 2.9, measure(None, 0, "no confirmed error has a time yet"), steeper),
        )
    ]
    return {"items": items}


def breakdown(round_id: str, by: str) -> dict[str, Any]:
    names = {"segment": ("1", "2"), "condition": ("prompt", "no_prompt"), "cohort": ("volunteer", "crowd")}
    parts = zip(
        names.get(by, ("first", "second")),
        (figures(800, 281, 215, 40), figures(404, 121, 95, 52)),
        strict=True,
    )
    return {
        "round_id": round_id,
        "by": by,
        "items": [{"name": name, **ASKED, **numbers} for name, numbers in parts],
    }


def collection(round_id: str) -> dict[str, Any]:
    return {
        "round_id": round_id,
        "contexts": 480,
        "contexts_used": 402,
        "contexts_withdrawn": 3,
        "contexts_flagged": 5,
        "people": 44,
        "near_duplicates": {"examples": 1000, "share": 0.021},
        "tries": 1204,
        "unexplained_fooling": 17,
    }


def agreement(round_id: str) -> dict[str, Any]:
    whole = {
        "examples": 310,
        "votes": 702,
        "voters": 23,
        "options": ["negative", "neutral", "positive"],
        "basis": "first_two_votes",
        "raw": measure(0.81, 310),
        "fleiss_kappa": measure(None, 310, "numbers of votes differ"),
        "krippendorff_alpha": measure(0.713, 310),
        "gwet_ac1": measure(0.74, 310),
        "vote_histogram": {"2": 281, "3": 29},
        "votes_equal_gold": 640,
        "gold": {"negative": 140, "neutral": 52, "positive": 118},
    }
    groups = [{**whole, "name": name} for name in SEGMENTS]
    return {**whole, "round_id": round_id, "behind": 0, "groups": groups}


def human_estimate() -> dict[str, Any]:
    return {"agreement": rate(0.871, 0.84, 0.9, 620), "n_votes": 620, "n_examples": 298, "reason": None}


def votes_advice() -> dict[str, Any]:
    return {
        "current": {"adaptive": {"agree": 2, "max_votes": 3}},
        "validator_error": rate(0.14, 0.12, 0.163, 702),
        "resolution_error_now": 0.062,
        "expected_votes_now": 2.27,
        "disputed_now": 0.03,
        "suggestions": [
            {
                "policy": {"adaptive": {"agree": 3, "max_votes": 5}},
                "expected_votes": 3.5,
                "resolution_error": 0.021,
                "disputed": 0.02,
            }
        ],
        "reason": None,
        "computed_at": "2026-01-08T14:00:00Z",
    }


def votes_on_a_case() -> dict[str, Any]:
    vote_ids = [str(UUID(int=number)) for number in (0xF1, 0xF2, 0xF3)]
    return {
        "resolution": "disputed",
        "votes_counted": 3,
        "pending": False,
        "items": [
            {
                **CAST_VOTE,
                "vote_id": vote_ids[0],
                "voter_id": VOTERS[0],
                "option": "negative",
                "agrees": True,
            },
            {
                **CAST_VOTE,
                "vote_id": vote_ids[1],
                "voter_id": VOTERS[1],
                "option": "positive",
                "agrees": False,
                "corrected": "neutral",
                "explanation": "It only says that the dog was fed.",
            },
            {
                **CAST_VOTE,
                "vote_id": vote_ids[2],
                "voter_id": VOTERS[2],
                "kind": "flag",
                "option": "flag",
                "reason": "No sense.",
            },
        ],
        "appeal": {
            "reason": "The second voter missed the dog.",
            "at": "2026-01-07T12:00:00Z",
            "answer": None,
        },
        "adjudication": None,
    }


def validators() -> list[dict[str, Any]]:
    appeal = {"reason": "I was tired, and I have read the guidelines again.", "at": "2026-01-08T08:00:00Z"}
    states = (("active", None, 0), ("warned", None, 2), ("paused", appeal, 5))
    return [
        {
            "voter_id": voter_id,
            "votes": 120 - 30 * position,
            "agreement": rate(0.91 - 0.1 * position, 0.85 - 0.1 * position, 0.95 - 0.08 * position, 110),
            "gold": rate(0.95, 0.8, 0.99, 20) if position < 2 else rate(None, n=3, reason="under 5 answers"),
            "failures": failures,
            "seconds_median": 12.5,
            "state": state,
            "appeal": appealed,
        }
        for position, (voter_id, (state, appealed, failures)) in enumerate(zip(VOTERS, states, strict=True))
    ]


def pairs() -> list[dict[str, Any]]:
    numbers = {"examples": 40, "agreed": 39, "expected": 27.2, "p_adjusted": 0.0031}
    return [{"a": VOTERS[0], "b": VOTERS[1], **numbers}]


def one_author() -> list[dict[str, Any]]:
    numbers = {"confirmed": 6, "of_author": 6, "expected": 0.7, "p_adjusted": 0.00002}
    return [{"voter_id": VOTERS[2], "author_id": VOTERS[0], **numbers}]


def gold() -> list[dict[str, Any]]:
    prompt = {"prompt": "From what I heard, the vegetarian special was also a great choice."}
    counts = {"shown": 12, "answered": 11, "failed": 1, "added_at": "2026-01-06T09:00:00Z"}
    unknown = {"example_id": None, "claimed": None, "retirement": None, "retired_at": None}
    item = {"context": prompt, **unknown, **counts}
    texts = (
        ("attention", "This is the best meal of my life.", "positive"),
        ("example", "It was cold.", "negative"),
    )
    return [
        {**item, "gold_id": str(UUID(int=number)), "kind": kind, "input": {"text": text}, "answers": [answer]}
        for number, (kind, text, answer) in enumerate(texts, start=1)
    ]


def audit_entries(round_id: str) -> list[dict[str, Any]]:
    entry = {
        "actor_id": VOTERS[0],
        "actor_name": "olga",
        "task_slug": "sentiment",
        "round_id": round_id,
        "reason": "We changed the guidelines.",
        "details": {},
        "taken_at": "2026-01-08T09:00:00Z",
    }
    done: tuple[tuple[str, str, str, dict[str, str]], ...] = (
        ("round.paused", "round", round_id, {}),
        ("round.targets_changed", "round", round_id, {"targets": "sentiment-minilm, n-gram-b"}),
        ("example.adjudicated", "example", VOTERS[1], {"resolution": "correct"}),
        ("validator.paused", "person", VOTERS[2], {}),
    )
    entries: list[dict[str, Any]] = [
        {
            **entry,
            "entry_id": str(UUID(int=position)),
            "action": action,
            "object_kind": kind,
            "object_id": object_id,
            "details": details,
        }
        for position, (action, kind, object_id, details) in enumerate(done, start=1)
    ]
    entries[-1] = {**entries[-1], "round_id": None}
    return entries


def release_preview() -> dict[str, Any]:
    unresolved = {
        "kind": "unresolved-examples",
        "text": "92 examples still wait for votes.",
        "remedy": "Wait for the votes, or accept that they go to train.",
    }
    return {
        "allowed": False,
        "state": "closed",
        "examples": 402,
        "resolved": 310,
        "unresolved": 92,
        "unchecked": 0,
        "excluded": {"retracted": 14, "hidden": 0, "flagged": 6, "disputed": 9, "no_gold": 0},
        "splits": {
            "train": {"examples": 320, "authors": 29},
            "dev": {"examples": 31, "authors": 6},
            "test": {"examples": 30, "authors": 6},
        },
        "largest_author_share": 0.12,
        "blockers": [unresolved],
        "notices": ["One author wrote 23 % of the dataset."],
    }
