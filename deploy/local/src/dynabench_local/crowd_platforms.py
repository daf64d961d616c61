"""The crowd platforms of a fresh installation: one for practice without money, and a plain link.

The practice platform is the test server of the repository, which `make demo CROWD=1` starts.
"""

import json
from pathlib import Path

from dynabench_local.layout import Layout

TOKEN = "a-prolific-token-that-only-tests-know"  # noqa: S105
"""The token that the test server accepts; no real platform knows it."""


def ensured(layout: Layout) -> Path:
    """Return the list of crowd platforms, written if it is missing."""
    path = layout.platforms_file
    if not path.exists():
        token = path.with_name("practice-platform-token")
        token.write_text(TOKEN)
        path.write_text(json.dumps(_platforms(layout, token), indent=1) + "\n")
    return path


def _platforms(layout: Layout, token: Path) -> list[dict[str, object]]:
    address = layout.url("crowd_platforms")
    return [
        {
            "name": "practice",
            "kind": "prolific",
            "title": "Practice platform, without money",
            "currency": "GBP",
            "token_file": token.name,
            "api_url": address,
            "app_url": address,
        },
        {
            "name": "link",
            "kind": "link",
            "title": "Any platform that sends people by a link",
            "currencies": ["EUR", "GBP", "USD"],
            "parameters": {"worker": "worker_id"},
        },
    ]
