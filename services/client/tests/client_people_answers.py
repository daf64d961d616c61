"""What the stub answers about people, and the verbs that ask."""

from typing import Any

PERSON_ID = "0192f5a0-0000-7000-8000-000000000007"
LISTED: dict[str, Any] = {
    "person_id": PERSON_ID,
    "user_name": "ben",
    "roles": ["annotator"],
    "cohort": "volunteer",
    "registered_at": "2026-11-04T09:30:00Z",
    "email": "ben@example.org",
    "disabled_at": None,
}
KNOWN = {
    **LISTED,
    "disabled_by": None,
    "disabled_by_name": None,
    "disabled_reason": None,
    "sessions": 2,
    "api_tokens": 1,
    "last_seen_at": "2026-11-08T09:30:00Z",
}
STANDING = {
    "task_slug": "sentiment",
    "state": "paused",
    "paused_by": "checks",
    "paused_at": "2026-11-07T09:30:00Z",
    "reason": None,
    "failures": 5,
    "appeal": None,
}
NOTICE = {
    "notice_id": "0192f5a0-0000-7000-8000-000000000021",
    "position": 7,
    "kind": "example_resolved",
    "counts": {"correct": 3, "disputed": 1},
    "round_id": "0192f5a0-0000-7000-8000-000000000003",
    "round_number": 3,
    "task_slug": "sentiment",
    "task_title": "Sentiment",
    "happened_at": "2026-11-08T09:30:00Z",
    "read_at": None,
}
SETTINGS = {"mail": "daily", "not_on_page": [], "not_by_mail": ["round_opened"], "is_email_confirmed": True}
ON_BOARD = {
    "person_id": PERSON_ID,
    "rank": 1,
    "tries": 9,
    "decided": 9,
    "fooled": 4,
    "retracted": 0,
    "validated_errors": 3,
    "rate": {"value": 0.333, "low": 0.121, "high": 0.646, "n": 9, "reason": None},
}
BADGE = {
    "name": "first_example",
    "earned_on": "2026-11-04",
    "task_slug": "sentiment",
    "task_title": "Sentiment",
    "round_id": None,
    "week": None,
    "example_id": None,
}
NEXT = {
    "name": "ten_examples",
    "task_slug": None,
    "task_title": None,
    "reached": 9,
    "needed": 10,
}
BOARD = {"people": 1, "items": [ON_BOARD], "mine": ON_BOARD, "next_cursor": None}
PEOPLE_TOLD: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/accounts/v1/people", {"items": [LISTED], "next_cursor": None}),
    ("GET", f"/accounts/v1/people/{PERSON_ID}", KNOWN),
    ("POST", f"/accounts/v1/people/{PERSON_ID}/role-changes", KNOWN),
    ("PUT", f"/accounts/v1/people/{PERSON_ID}/state", KNOWN),
    ("GET", "/accounts/v1/me/notices", {"items": [NOTICE], "next_cursor": None, "unread": 1}),
    ("POST", "/accounts/v1/me/notices/read", {"unread": 0}),
    ("GET", "/accounts/v1/me/notice-settings", SETTINGS),
    ("PUT", "/accounts/v1/me/notice-settings", SETTINGS),
    ("GET", "/leaderboard/v1/tasks/sentiment/people", BOARD),
    ("GET", "/leaderboard/v1/rounds/r1/people", BOARD),
    ("GET", "/leaderboard/v1/people/me/badges", {"person_id": PERSON_ID, "items": [BADGE], "next": [NEXT]}),
    ("GET", f"/validation/v1/people/{PERSON_ID}/standings", {"items": [STANDING]}),
)
PEOPLE_VERBS: dict[str, tuple[str, ...]] = {
    "badges": (),
    "people list": ("--search", "ben"),
    "people show": ("ben",),
    "people grant": ("ben", "owner:sentiment", "--reason", "He asked."),
    "people revoke": (PERSON_ID, "owner:sentiment"),
    "people disable": ("ben", "--reason", "Spam."),
    "people enable": ("ben", "--reason", "A mistake."),
    "people validation": ("ben",),
    "notices list": (),
    "notices read": (),
    "notices settings": ("--mail", "daily"),
}
