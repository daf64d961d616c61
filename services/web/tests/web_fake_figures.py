"""Figures of a round as the leaderboard would give them, with the numbers of a real-looking collection."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from flask import Flask, jsonify, request

SEGMENTS = [str(UUID(int=number)) for number in (0x51, 0x52)]
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def rate(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    n: int = 0,
    reason: str | None = None,
) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "n": n, "reason": reason}


ASKED = {"not_asked": 0, "rates_of": "tries"}
COUNTS = {"retracted": 14, "resolved": 310, "undecided": 0, "unknown": 0, "no_target": 0}


def figures(tries: int, fooled: int, errors: int, pending: int, spread: float = 0.03) -> dict[str, Any]:
    mer, vmer = fooled / tries, errors / tries
    return {
        "tries": tries,
        "decided": tries,
        "fooled": fooled,
        "not_fooled": tries - fooled,
        **COUNTS,
        "pending": pending,
        "validated_errors": errors,
        "mer": rate(mer, mer - spread, mer + spread, tries),
        "vmer": rate(vmer, vmer - spread, vmer + spread, tries),
        "vmer_range": {"low": vmer, "high": vmer + pending / tries, "pending": pending},
        "vmer_projected": {**rate(0.284, 0.256, 0.313, tries), "not_checked": ["not_fooled"]},
        "validity": rate(0.852, 0.81, 0.887, 310),
    }


def outcomes(tries: int, fooled: int, confirmed: int, pending: int) -> dict[str, int]:
    return {
        "confirmed": confirmed,
        "not_confirmed": fooled - confirmed - pending,
        "being_checked": pending,
        "not_fooled": tries - fooled - COUNTS["retracted"],
        **{name: COUNTS[name] for name in ("retracted", "undecided", "unknown", "no_target")},
    }


def round_figures(round_id: str) -> dict[str, Any]:
    targets = [
        {"target": "sentiment-minilm", **ASKED, **figures(1204, 361, 288, 70)},
        {"target": "n-gram-b", **ASKED, **figures(1180, 418, 301, 92, 0.045)},
    ]
    segment = {"started_at": "2026-01-05T09:00:00Z", "votes": 351}
    ran = [{**target, "model_digest": "sha256:aa", "handler_digest": "sha256:bb"} for target in targets]
    return {
        **figures(1204, 402, 310, 92),
        "round_id": round_id,
        "task_slug": "sentiment",
        "number": 3,
        "state": "open",
        "title": "",
        "origin": "",
        "outcomes": outcomes(1204, 402, 310, 92),
        "votes": 702,
        "by_condition": [],
        "as_of": "2026-01-08T14:02:11Z",
        "targets": targets,
        "segments": [
            {"segment_id": SEGMENTS[0], "number": 1, **segment, **figures(800, 281, 215, 40), "targets": ran},
            {
                "segment_id": SEGMENTS[1],
                "number": 2,
                **segment,
                **figures(404, 121, 95, 52, 0.05),
                "targets": ran,
            },
        ],
    }


def history(round_id: str) -> dict[str, Any]:
    points = []
    for step in range(1, 41):
        tries = step * 30
        mer = 0.33 + 0.12 / step - (step % 5) * 0.002
        vmer = 0.257 * (1 - 0.6 / step)
        points.append(
            {
                "at": (START + timedelta(hours=2 * step)).isoformat(),
                "tries": tries,
                "fooled": round(tries * mer),
                "validated_errors": round(tries * vmer),
                "mer": mer,
                "vmer": vmer,
                "mer_low": mer - 0.2 / step**0.5,
                "mer_high": mer + 0.2 / step**0.5,
                "vmer_low": max(0, vmer - 0.18 / step**0.5),
                "vmer_high": vmer + 0.18 / step**0.5,
                "tries_per_fooling": 1 / mer,
                "tries_per_fooling_low": 1 / (mer + 0.2 / step**0.5),
                "tries_per_fooling_high": 1 / (mer - 0.2 / step**0.5) if mer > 0.2 / step**0.5 else None,
            }
        )
    return {"round_id": round_id, "as_of": "2026-01-08T14:02:11Z", "points": points}


def headline(round_id: str, of_round: dict[str, Any]) -> dict[str, Any]:
    counts = ("tries", "fooled", "unknown", "validated_errors", "mer", "vmer", "vmer_range", "vmer_projected")
    names = (*counts, "as_of", "number", "title", "state", "outcomes")
    return {
        "task_id": str(UUID(int=1)),
        "task_slug": "sentiment",
        "title": "Sentiment",
        "rounds": 3,
        "current_round": {"round_id": round_id, **{name: of_round[name] for name in names}},
    }


MINE = {"tries": 4, "decided": 4, "fooled": 1, "retracted": 0, "pending": 0, "validated_errors": 1}


def my_round(round_id: str) -> dict[str, Any]:
    place = {
        "round_id": round_id,
        "task_slug": "sentiment",
        "task_title": "Sentiment",
        "number": 3,
        "state": "open",
    }
    return {**MINE, **place}


def person_row(rank: int | None, number: int, tries: int, errors: int) -> dict[str, Any]:
    value, reason = (errors / tries, None) if tries else (None, "no rate: no try has a verdict")
    return {
        "person_id": str(UUID(int=number)),
        "rank": rank,
        "tries": tries,
        "decided": tries,
        "fooled": errors,
        "retracted": 0,
        "validated_errors": errors,
        "rate": rate(value, low=0.1 if tries else None, high=0.9 if tries else None, n=tries, reason=reason),
    }


ON_BOARD = [person_row(1, 0xADA, 9, 6), person_row(2, 0xBEA, 12, 3), person_row(2, 0xCEA, 12, 3)]
"""People on the board; who asks is the fourth."""
BADGES: list[dict[str, Any]] = [
    {"name": "weekly_winner", "task_slug": "sentiment", "task_title": "Sentiment", "week": "2026-W02"},
    {"name": "fooling_streak_5", "task_slug": "sentiment", "task_title": "Sentiment", "week": None},
    {"name": "first_vote", "task_slug": None, "task_title": None, "week": None},
]
NEXT_BADGES: list[dict[str, Any]] = [
    {
        "name": "contributor_bronze",
        "task_slug": "sentiment",
        "task_title": "Sentiment",
        "reached": 9,
        "needed": 50,
    },
    {"name": "day_streak_2", "task_slug": None, "task_title": None, "reached": 1, "needed": 2},
]


def boards_of_people(app: Flask, base: str) -> None:
    """Answer who found the most errors, and one's badges."""

    @app.get(f"{base}/tasks/<scope>/people")
    @app.get(f"{base}/rounds/<scope>/people")
    def people(scope: str) -> Any:
        is_empty = scope == "nli"
        mine = person_row(None, 0xDEA, 0, 0) if is_empty else person_row(4, 0xDEA, 7, 1)
        answer = jsonify(
            people=0 if is_empty else 80,
            items=[] if is_empty else ON_BOARD,
            mine=mine if "Authorization" in request.headers else None,
            next_cursor=None if is_empty else "WzMsIDEyXQ",
        )
        answer.set_etag("people")
        return answer

    @app.get(f"{base}/people/ranks")
    def ranks() -> Any:
        is_week = request.args["period"] == "week"
        items = [{name: row[name] for name in ("person_id", "rank", "validated_errors")} for row in ON_BOARD]
        return jsonify(
            week="2026-W02" if is_week else None,
            people=3,
            items=[] if request.args.get("task") == "nli" else items[: 2 if is_week else 3],
            mine=None,
        )

    @app.get(f"{base}/people/<person_id>/weeks")
    def weeks(person_id: str) -> Any:
        found = [{"week": f"2026-W0{week}", "validated_errors": week} for week in (5, 3)]
        return jsonify(person_id=person_id, items=found)

    @app.get(f"{base}/people/<uuid:person_id>/badges")
    def badges_of(person_id: UUID) -> Any:
        more = {"earned_on": "2026-01-08", "round_id": None}
        return jsonify(person_id=str(person_id), items=[{**each, **more} for each in BADGES])

    @app.get(f"{base}/people/me/badges")
    def badges() -> Any:
        more = {"earned_on": "2026-01-08", "round_id": None, "example_id": None}
        return jsonify(
            person_id=str(UUID(int=0xDEA)), items=[{**each, **more} for each in BADGES], next=NEXT_BADGES
        )


def own_figures(app: Flask, base: str, rounds: list[dict[str, Any]]) -> None:
    """Answer what one's own tries came to."""

    @app.get(f"{base}/people/me")
    def mine() -> Any:
        return jsonify(MINE)

    boards_of_people(app, base)

    @app.get(f"{base}/people/me/week")
    def week() -> Any:
        return jsonify(week="2026-W02", tries=4, fooled=3, validated_errors=1, in_a_row=2, rank=4, people=80)

    @app.get(f"{base}/people/me/rounds")
    def my_rounds() -> Any:
        return jsonify(items=rounds)
