"""The demo's round: every service tells the same story, and the boards can be built anew from the log."""

import json
import os
import subprocess
import sys
from typing import Any

from dynabench_client import Dynabench
from dynabench_local import postgres
from dynabench_local.layout import checkout
from rich.console import Console

sys.path.insert(0, str(checkout() / "scripts"))
import demo


def leaderboard(platform: Any, *arguments: str) -> str:
    command = [str(platform.stack.layout.scripts / "leaderboard"), *arguments]
    environment = {**os.environ, **platform.environment("leaderboard")}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def test_all_services_agree_on_the_demo_and_a_rebuild_changes_nothing(
    platform: Any, owner: Dynabench
) -> None:
    outcome = demo.play(platform.url, owner, seed=7, console=Console(quiet=True))
    board, votes = demo.settle(owner, outcome.round_id)
    assert board.tries >= len(outcome.examples) >= 150
    assert board.fooled <= board.tries
    assert outcome.wrong_votes >= 0.15 * outcome.votes
    assert outcome.flags >= 0.045 * outcome.votes
    assert votes.disputed > 0
    assert votes.correct + votes.incorrect + votes.flagged + votes.disputed == votes.resolved
    examples = [example for _, example in outcome.examples]
    assert len({example.example_id for example in examples}) == len(examples)
    assert all(
        example.verdict == ("fooled" if any(answer.wrong for answer in example.answers) else "not_fooled")
        for example in examples
    )
    live = json.loads(leaderboard(platform, "snapshot", "--json"))
    admin = postgres.admin_url(platform.stack.layout, platform.stack.secrets)
    postgres.ensure_database(admin, "rebuilt", "rebuilt", "rebuilt")
    url = postgres.service_url(
        platform.stack.layout, {**platform.stack.secrets, "rebuilt": "rebuilt"}, "rebuilt"
    )
    leaderboard(platform, "rebuild", "--database-url", url)
    rebuilt = json.loads(leaderboard(platform, "snapshot", "--database-url", url, "--json"))
    assert rebuilt == live
