"""Training on the fake platform: confirmations, and attempts at a quiz whose right answers are known here alone."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from dynabench_common.onboarding.training import answered
from flask import Flask, jsonify, request
from web_fake_refusals import refuse

BASES = {"create": "/api/annotation/v1", "validate": "/api/validation/v1"}
AT = "2026-01-08T10:00:00Z"
BECAUSE = "Checkers see only the text."
QUESTIONS = [
    {
        "question": f"Whose opinion counts in case {number}?",
        "options": ["The author's", "The reader's"],
        "answer": "The reader's",
        "because": BECAUSE,
    }
    for number in (1, 2)
]


class TrainingDesk:
    """The training of every task; without `is_needed` nobody is refused work."""

    def __init__(self) -> None:
        self.is_needed = False
        self.version = 1
        self.consent = "I am at least 18 years old."
        self.has_quiz = True
        self.most_attempts = 2
        self.confirmed: dict[tuple[str, str], int] = {}
        self.attempts: dict[tuple[str, str], list[dict[str, Any]]] = {}

    @property
    def document(self) -> dict[str, Any]:
        """The part of a configuration that everybody sees."""
        consent = {"version": 1, "text": self.consent}
        return {
            "activities": list(BASES),
            "guidelines_version": self.version,
            **({"consent": consent} if self.consent else {}),
        }

    def ensure_done(self, activity: str, person_id: str) -> None:
        if self.is_needed and not self.state(activity, person_id)["is_done"]:
            detail = "You need to complete the training first."
            refuse(
                403, "onboarding-needed", "task", detail, "Open the training.", "Read the guidelines first"
            )

    def state(self, activity: str, person_id: str) -> dict[str, Any]:
        key = (activity, person_id)
        attempts, confirmed = self.attempts.get(key, []), self.confirmed.get(key)
        has_passed = not self.has_quiz or any(each["passed"] for each in attempts)
        quiz = {
            "draw": len(QUESTIONS),
            "pass_mark": 2,
            "attempts": self.most_attempts,
            "attempts_left": self.most_attempts - len(attempts),
        }
        return {
            "guidelines_version": self.version,
            "consent": {"version": 1, "text": self.consent} if self.consent else None,
            "confirmed_at": AT if confirmed == self.version else None,
            "confirmed_before": confirmed not in (None, self.version),
            "quiz": quiz if self.has_quiz else None,
            "attempt": _shown(attempts[-1]) if attempts else None,
            "is_done": confirmed == self.version and has_passed,
        }

    def install(self, app: Flask, me: Callable[[], str]) -> None:
        for activity, base in BASES.items():
            self._install(app, activity, f"{base}/tasks/<slug>/onboarding", me)

    def _install(self, app: Flask, activity: str, base: str, me: Callable[[], str]) -> None:
        def state(slug: str) -> Any:
            return jsonify(self.state(activity, me()))

        def confirm(slug: str) -> Any:
            version = request.get_json()["guidelines_version"]
            if version != self.version:
                title, remedy = "The guidelines have changed", "Read the new text."
                refuse(
                    409, "guidelines-changed", "guidelines_version", "There is a new version.", remedy, title
                )
            self.confirmed[activity, me()] = version
            return state(slug)

        def start(slug: str) -> Any:
            attempts = self.attempts.setdefault((activity, me()), [])
            if not attempts or attempts[-1]["passed"] is not None:
                questions = [dict(each) for each in QUESTIONS]
                attempts.append({"attempt_id": str(uuid4()), "questions": questions, "passed": None})
            return state(slug)

        def answer(slug: str, attempt_id: str) -> Any:
            body, attempt = request.get_json(), self.attempts[activity, me()][-1]
            if body["option"] not in QUESTIONS[0]["options"]:
                refuse(
                    422, "option-unknown", "option", "There is no such option.", "Choose one of its options."
                )
            attempt["questions"] = answered(attempt["questions"], body["number"], body["option"])
            if all("chosen" in each for each in attempt["questions"]):
                attempt["passed"] = all(each["chosen"] == each["answer"] for each in attempt["questions"])
            return state(slug)

        def questions(slug: str) -> Any:
            items = [
                {"question": each["question"], "people": 4, "failed": failed, "most_fail": failed > 2}
                for each, failed in zip(QUESTIONS, (3, 1), strict=True)
            ]
            return jsonify(items=items)

        def people(slug: str) -> Any:
            items = [
                {"person_id": person, "confirmed_at": AT, "attempts": 2, "best": best, "passed_at": passed_at}
                for person, best, passed_at in ((str(uuid4()), 1, None), (str(uuid4()), 2, AT))
            ]
            return jsonify(items=items, next_cursor=None)

        for method, path, view in (
            ("GET", "", state),
            ("POST", "/confirmation", confirm),
            ("POST", "/attempts", start),
            ("POST", "/attempts/<attempt_id>/answers", answer),
            ("GET", "/questions", questions),
            ("GET", "/people", people),
        ):
            name = f"training_{activity}_{view.__name__}"
            app.add_url_rule(base + path, name, view, methods=[method])


def _shown(attempt: dict[str, Any]) -> dict[str, Any]:
    questions = [
        {
            "question": each["question"],
            "options": each["options"],
            "chosen": each.get("chosen"),
            "answer": each["answer"] if "chosen" in each else None,
            "because": each["because"] if "chosen" in each else None,
        }
        for each in attempt["questions"]
    ]
    right = sum(each["chosen"] == each["answer"] for each in questions if each["chosen"])
    return {**attempt, "questions": questions, "right_answers": right, "started_at": AT}
