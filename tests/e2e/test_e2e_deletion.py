"""A person downloads the data and deletes the account; afterwards no database and no file has the names."""

import json
import zipfile
from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import pytest
from dynabench_common.testing import wait_until
from dynabench_local import postgres
from playwright.sync_api import expect
from sqlalchemy import create_engine, make_url, text

from tests.scenarios import PASSWORD, OwnTask, heard_of, write

pytestmark = pytest.mark.long

DATABASES = ("accounts", "annotation", "validation", "leaderboard", "registry", "scoring", "crowd")
TABLES = """
SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
"""
NOT_SEARCHED = ("postgres", "kafka", "mail", "run")
"""Parts of the data folder: the databases are searched as rows; events and mails that were sent stay, as documented."""


def test_a_deleted_person_is_named_nowhere(
    platform: Any, new_member: Callable[..., Any], new_task: Callable[..., OwnTask]
) -> None:
    task, member = new_task(), new_member()
    round_id = task.open_round()
    example = write(member.client, round_id, "What a lovely queue in the rain.", "negative")
    thread = member.client.validation.thread
    wait_until(lambda: heard_of(lambda: thread(example.example_id)), what="validation to know the example")
    member.client.validation.write_message(example.example_id, "Why does it wait?")
    nickname = f"Nick {member.user_name[-10:]}"
    member.client.accounts.set_nickname(nickname)
    words = (member.user_name, nickname)
    assert tables_with(platform, words) >= {"accounts public.person", "accounts public.nickname"}

    member.sign_in()
    page = member.open("/account")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download all your data").click()
    with zipfile.ZipFile(started.value.path()) as packed:
        rows = {
            name: [json.loads(line) for line in packed.read(name).splitlines()]
            for name in packed.namelist()
            if name.endswith(".jsonl")
        }
    assert member.user_name in [each.get("user_name") for each in rows["accounts.jsonl"]]
    assert [each["text"] for each in rows["validation.jsonl"]] == ["Why does it wait?"]
    assert "lovely queue" in json.dumps(rows["examples-and-votes.jsonl"])

    page.get_by_role("link", name="Delete the account").click()
    page.get_by_label("Withdraw my texts").check()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Yes, delete my account").click()
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()

    owner = task.owner.client
    wait_until(
        lambda: owner.annotation.example(example.example_id).retracted_at, what="the text to be withdrawn"
    )
    wait_until(lambda: not owner.validation.thread(example.example_id).items, what="the message to go")
    assert tables_with(platform, words) == set()
    assert files_with(platform.stack.layout.home, words) == []
    assert owner.annotation.example(example.example_id).author_id == member.person_id, "the pseudonym stays"


def tables_with(platform: Any, words: tuple[str, ...]) -> set[str]:
    """Return the tables of all databases that have a row with one of the words, also within bytes."""
    patterns = [f"%{form}%" for word in words for form in (word, word.encode().hex())]
    address = make_url(postgres.admin_url(platform.stack.layout, platform.stack.secrets))
    found = set()
    for database in DATABASES:
        engine = create_engine(address.set(database=database))
        with engine.connect() as connection:
            for table in connection.execute(text(TABLES)).scalars().all():
                query = text(f"SELECT 1 FROM {table} t WHERE t::text ILIKE ANY(:patterns) LIMIT 1")
                if connection.execute(query, {"patterns": patterns}).first():
                    found.add(f"{database} {table}")
        engine.dispose()
    return found


def files_with(home: Path, words: tuple[str, ...]) -> list[str]:
    """Return the files of the data folder that have one of the words."""
    searched = (path for path in home.rglob("*") if path.relative_to(home).parts[0] not in NOT_SEARCHED)
    return [str(path) for path in searched if path.is_file() and path.stat().st_size and has(path, words)]


def has(path: Path, words: tuple[str, ...]) -> bool:
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return any(content.find(word.encode()) >= 0 for word in words)
