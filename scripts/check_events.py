"""Check with buf that event schemas are well formed, and that none breaks what the log already holds.

The schemas are compared with those of the commit that last changed `proto/baseline`, since when fields may only be
added. A break is a new package (`v2` beside `v1`).
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUF = Path(sys.executable).with_name("buf")
BASELINE = "proto/baseline"


def main() -> int:
    """Run both checks."""
    lint = subprocess.run([str(BUF), "lint"], cwd=ROOT, check=False).returncode
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%H", "--", BASELINE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    if not commit:
        print(
            f"{BASELINE} has no commit here: event schemas are not compared (they are in a clone with history)"
        )
        return lint
    against = f".git#ref={commit}"
    breaking = subprocess.run([str(BUF), "breaking", "--against", against], cwd=ROOT, check=False).returncode
    return max(lint, breaking)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
