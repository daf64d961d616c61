"""Check with squawk that migrations can run during live traffic: no long lock, no rewrite of a table in use.

Changes to tables that a revision made itself block nobody, so those rules apply to later revisions alone.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from dynabench_common.database.migrations import render

ROOT = Path(__file__).resolve().parents[1]
SQUAWK = Path(sys.executable).with_name("squawk")
# Alembic wraps each revision in a transaction. `dynabench_common.database.migrations` sets the time-outs.
# Identifiers are UUIDs and counts are counts of a person's or a round's: `integer` holds them.
EXCLUDED = (
    "require-timeout-settings",
    "prefer-robust-stmts",
    "prefer-bigint-over-int",
    "prefer-bigint-over-smallint",
    "prefer-text-field",
    "transaction-nesting",
)
MADE = re.compile(r'CREATE TABLE "?(\w+)"?')


def revisions(folder: Path) -> list[str]:
    """Return the revisions of a service in their order."""
    return sorted(path.name[:4] for path in (folder / "versions").glob("[0-9]*.py"))


def main() -> int:
    """Check every service's migrations; return how many files have problems."""
    failed = 0
    for folder in sorted(ROOT.glob("services/*/migrations")):
        before = "base"
        for revision in revisions(folder):
            failed += not check(folder, before, revision)
            before = revision
    return failed


def check(folder: Path, before: str, revision: str) -> bool:
    """Return whether one revision passes."""
    service = folder.parent.name
    sql = render(folder, f"{before}:{revision}")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / f"{service}-{revision}.sql"
        path.write_text(without_own_indexes(sql))
        exclude = [f"--exclude={','.join(EXCLUDED)}", "--assume-in-transaction", "--pg-version=16.0"]
        done = subprocess.run([str(SQUAWK), *exclude, str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout + done.stderr)
    return done.returncode == 0


def without_own_indexes(sql: str) -> str:
    """Remove indexes on tables of the same revision: they are empty, so nothing waits."""
    made = set(MADE.findall(sql))
    statements = sql.split(";\n")
    return ";\n".join(
        statement
        for statement in statements
        if not (
            (found := re.search(r'CREATE (?:UNIQUE )?INDEX \w+ ON "?(\w+)"?', statement)) and found[1] in made
        )
    )


if __name__ == "__main__":
    sys.exit(min(main(), 1))
