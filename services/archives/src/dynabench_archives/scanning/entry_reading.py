"""Reading of an entry's bytes in pieces, never more of them than the directory declares."""

import zlib
from collections.abc import Iterator
from typing import BinaryIO

from dynabench_archives.scanning.report import PACKAGE_AGAIN, ArchiveRefused
from dynabench_archives.scanning.zip_directory import DEFLATED, ZipEntry

PIECE_BYTES = 1 << 20


def pieces(file: BinaryIO, entry: ZipEntry) -> Iterator[bytes]:
    """Yield the bytes of an entry. Raises ArchiveRefused where they are not what the directory says."""
    file.seek(entry.data_offset)
    crc, size = 0, 0
    for piece in _inflated(file, entry) if entry.method == DEFLATED else _stored(file, entry):
        size += len(piece)
        if size > entry.size:
            raise ArchiveRefused(
                "bomb",
                f"it holds more than the {entry.size:,} bytes that it claims",
                PACKAGE_AGAIN,
                entry.name,
            )
        crc = zlib.crc32(piece, crc)
        yield piece
    if size != entry.size or crc != entry.crc:
        raise ArchiveRefused("broken", "its bytes are not those that were packed", PACKAGE_AGAIN, entry.name)


def _stored(file: BinaryIO, entry: ZipEntry) -> Iterator[bytes]:
    left = entry.packed
    while left:
        piece = file.read(min(PIECE_BYTES, left))
        if not piece:
            return
        left -= len(piece)
        yield piece


def _inflated(file: BinaryIO, entry: ZipEntry) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    left = entry.packed
    waiting = b""
    try:
        while not inflater.eof:
            if not waiting and left:
                waiting = file.read(min(PIECE_BYTES, left))
                left = left - len(waiting) if waiting else 0
            piece = inflater.decompress(waiting, PIECE_BYTES)
            waiting = inflater.unconsumed_tail
            if piece:
                yield piece
            elif not waiting and not left:
                break
    except zlib.error as err:
        raise ArchiveRefused("broken", f"it can't be unpacked: {err}", PACKAGE_AGAIN, entry.name) from err
    if not inflater.eof or inflater.unused_data or left:
        raise ArchiveRefused(
            "hidden-data", "more bytes stand in it than are unpacked", PACKAGE_AGAIN, entry.name
        )
