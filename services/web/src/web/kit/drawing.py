"""Draw one picture of a link preview: JSON from standard input, PNG to standard output.

A program of its own: the text comes from anybody, so a text that breaks or stalls the typesetter ends this process and
no page. It gets no setting and no secret, and limits its own time and memory.
"""

import os
import resource
import sys
from pathlib import Path

import noto_cjk_sans_jp_regular
import typst

KIT = Path(__file__).parent
LAYOUT, FONTS = KIT / "picture.typ", KIT / "vendor"
EAST_ASIAN = Path(noto_cjk_sans_jp_regular.__file__).parent
POINTS_PER_INCH = 72
"""The resolution at which a point of the layout is one pixel."""
CPU_SECONDS, MEMORY_BYTES, POLITENESS = 8, 256 * 2**20, 10
"""Memory is address space: drawings take up to 216 MiB of it (0001-drawn-link-previews.md)."""


def main() -> None:
    """Draw the document on standard input."""
    os.nice(POLITENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    sys.stdout.buffer.write(draw(sys.stdin.buffer.read().decode()))


def draw(shown: str) -> bytes:
    """Return the PNG of a document of `pictures.py`."""
    return typst.compile(
        LAYOUT,
        format="png",
        ppi=POINTS_PER_INCH,
        font_paths=[FONTS, EAST_ASIAN],
        ignore_system_fonts=True,
        sys_inputs={"shown": shown},
    )


if __name__ == "__main__":
    main()
