"""Files that people give, with their errors, and files that the command writes."""

import codecs
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from dynabench_cli.session import InputError

MOST_BYTES = 1_000_000
MARKS = {codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16", codecs.BOM_UTF32_BE: "UTF-32"}


def read_configuration(file: Path) -> str:
    """Return the text of a task's configuration. Raises InputError.

    A far too large file is not read. The platform has a lower limit of its own.
    """
    size = file.stat().st_size
    if size > MOST_BYTES:
        raise InputError(
            f"{file} has {size / 1e6:.1f} MB; no configuration is that long.", "Is it the right file?"
        )
    text = read_text(file)
    if not text.strip():
        raise InputError(f"{file} is empty.", "Write a configuration in it, in YAML.")
    return text


def read_text(file: Path) -> str:
    """Return the text of a UTF-8 file, without a byte order mark and with line feeds alone. Raises InputError."""
    data = file.read_bytes()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as err:
        raise not_utf8(file, data) from err


def not_utf8(file: Path | str, data: bytes, line: int | None = None) -> InputError:
    """Return the error for bytes that are no UTF-8, with the encoding that they start like."""
    place = f"{file}:{line}" if line is not None else f"{file}"
    likely = next((f", but {name}" for mark, name in MARKS.items() if data.startswith(mark)), "")
    return InputError(f"{place} is not UTF-8 text{likely}.", "Save it as UTF-8 and try again.")


@contextmanager
def whole_file(file: Path) -> Iterator[BinaryIO]:
    """Write a file under a temporary name, and rename it once it is whole. Raises InputError."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as target:
            yield target
        part.replace(file)
    except OSError as err:
        raise InputError(f"{file} can't be written: {err.strerror}.", "Choose another -o.") from err
    finally:
        part.unlink(missing_ok=True)
