"""Refuse modules over 600 lines and functions over 60: a larger one has two jobs."""

import ast
import subprocess
import sys
from pathlib import Path

MODULE_LINES = 600
FUNCTION_LINES = 60


def oversized(path: Path) -> list[str]:
    """Return a line for each item in `path` that is over its limit."""
    text = path.read_text(encoding="utf-8")
    found = []
    if (lines := text.count("\n")) > MODULE_LINES:
        found.append(f"{path}: {lines} lines, at most {MODULE_LINES}")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                found.append(f"{path}:{node.lineno} {node.name}: {length} lines, at most {FUNCTION_LINES}")
    return found


def main() -> int:
    """Check every tracked Python file; return 1 if one is oversized."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = [
        line for name in listed.stdout.splitlines() if Path(name).exists() for line in oversized(Path(name))
    ]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
