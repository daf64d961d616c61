"""Directory of a zip file, read without trust: it must match the file byte for byte.

Readers of zips interpret broken files differently. Attackers make archives that a scanner reads in one way and an
unpacker in another. So the central directory is compared with the header before each entry. Entries may neither overlap
nor leave space for hidden bytes. The file begins with its first entry and ends with its end record.
"""

import re
import stat
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from dynabench_archives.scanning.report import PACKAGE_AGAIN, ArchiveRefused, ScanLimits, raise_together

END = struct.Struct("<4s4H2LH")
END64_LOCATOR = struct.Struct("<4sLQL")
END64 = struct.Struct("<4sQ2H2L4Q")
CENTRAL = struct.Struct("<4s4B4HL2L5H2L")
LOCAL = struct.Struct("<4s2B4HL2L2H")
STORED, DEFLATED = 0, 8
ENCRYPTED = 0x1 | 0x40 | 0x2000
HAS_DESCRIPTOR, IS_UTF8 = 0x8, 0x800
LARGEST_DESCRIPTOR = 24
MADE_BY_UNIX = 3
FULL_16, FULL_32 = 0xFFFF, 0xFFFFFFFF
LARGEST_DIRECTORY = 64 * 1024 * 1024
PLAIN_NAME = re.compile(r"[A-Za-z0-9 ._+@=,()-]+")
DRIVE = re.compile(r"[A-Za-z]:")
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
FORMATS = (
    (b"\x1f\x8b", "a gzip file"),
    (b"BZh", "a bzip2 file"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a rar"),
)


@dataclass(frozen=True)
class ZipEntry:
    """An entry of a zip file; sizes and offsets in bytes."""

    name: str
    method: int
    crc: int
    packed: int
    size: int
    data_offset: int

    @property
    def is_folder(self) -> bool:
        """Return whether it only names a folder."""
        return self.name.endswith("/")


@dataclass(frozen=True)
class _Described:
    """An entry as the central directory describes it."""

    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    made_by: int
    attributes: int


def read_directory(file: BinaryIO, limits: ScanLimits) -> tuple[ZipEntry, ...]:
    """Return the entries of a zip file. Raises ArchiveRefused for one that two readers could read differently.

    A bad entry does not stop the check of the others; a bad file does.
    """
    file.seek(0, 2)
    length = file.tell()
    if length == 0:
        raise ArchiveRefused("empty", "the file holds no bytes", PACKAGE_AGAIN)
    start, size, count, end = _find_directory(file, length)
    if count > limits.most_entries:
        raise ArchiveRefused(
            "too-many-entries",
            f"it has {count:,} entries; {limits.most_entries:,} are the most",
            "Keep only what the model needs.",
        )
    if size > LARGEST_DIRECTORY or start + size != end:
        raise _broken("its directory does not stand where its end record says")
    file.seek(start)
    described = list(_described(file.read(size), count))
    entries: list[ZipEntry] = []
    refused: list[ArchiveRefused] = []
    least = most = 0
    try:
        for each in sorted(described, key=lambda found: found.offset):
            _check_place(each.offset, least, most, _shown(each.raw_name))
            entry = _compare(file, each, start)
            refused += _refused_kind(each, entry)
            least = entry.data_offset + entry.packed
            most = least + (LARGEST_DESCRIPTOR if each.flags & HAS_DESCRIPTOR else 0)
            entries.append(entry)
        _check_place(start, least, most, None)
    except ArchiveRefused as err:
        raise_together([*refused, err])
    raise_together([*refused, *_refused_names([entry.name for entry in entries], limits)])
    return tuple(entries)


def _find_directory(file: BinaryIO, length: int) -> tuple[int, int, int, int]:
    """Return offset, size and number of entries of the directory, and where its end record begins."""
    if length < END.size:
        raise _no_zip(file)
    file.seek(length - END.size)
    tag, disk, first_disk, here, count, size, start, comment = END.unpack(file.read(END.size))
    if tag != b"PK\x05\x06" or comment != 0:
        raise _no_zip(file)
    end = length - END.size
    if FULL_16 in {here, count} or FULL_32 in {size, start}:
        disk, first_disk, here, count, size, start, end = _end64(file, end)
    if disk or first_disk or here != count:
        raise _broken("it is spread over several files")
    if start > length or size > length:
        raise _broken("its directory lies outside the file")
    return start, size, count, end


def _end64(file: BinaryIO, end: int) -> tuple[int, int, int, int, int, int, int]:
    locator_at = end - END64_LOCATOR.size
    if locator_at < END64.size:
        raise _broken("its end record points nowhere")
    file.seek(locator_at)
    tag, _, offset, disks = END64_LOCATOR.unpack(file.read(END64_LOCATOR.size))
    if tag != b"PK\x06\x07" or disks > 1 or offset + END64.size != locator_at:
        raise _broken("its end record points nowhere")
    file.seek(offset)
    tag, rest, _, _, disk, first_disk, here, count, size, start = END64.unpack(file.read(END64.size))
    if tag != b"PK\x06\x06" or rest != END64.size - 12:
        raise _broken("its end record can't be read")
    return disk, first_disk, here, count, size, start, offset


def _described(directory: bytes, count: int) -> Iterator[_Described]:
    at = 0
    for _ in range(count):
        if at + CENTRAL.size > len(directory):
            raise _broken("its directory ends too early")
        (
            tag, _, made_by, _, _, flags, method, _, _, crc, packed, size,
            name_length, extra_length, comment_length, disk, _, attributes, offset,
        ) = CENTRAL.unpack_from(directory, at)  # fmt: skip
        at += CENTRAL.size
        if tag != b"PK\x01\x02" or disk not in {0, FULL_16}:
            raise _broken("its directory can't be read")
        name = directory[at : at + name_length]
        extra = directory[at + name_length : at + name_length + extra_length]
        at += name_length + extra_length + comment_length
        size, packed, offset = _wide(extra, size, packed, offset)
        yield _Described(name, flags, method, crc, packed, size, offset, made_by, attributes)
    if at != len(directory):
        raise _broken("its directory holds more than its entries")


def _wide(extra: bytes, *values: int) -> tuple[int, ...]:
    """Return the values, those of 64 bits from the extra field where the short one says so."""
    wanted = [place for place, value in enumerate(values) if value == FULL_32]
    if not wanted:
        return values
    at = 0
    while at + 4 <= len(extra):
        tag, length = struct.unpack_from("<HH", extra, at)
        if tag == 1:
            if length < 8 * len(wanted) or at + 4 + length > len(extra):
                break
            found = list(values)
            for number, place in enumerate(wanted):
                (found[place],) = struct.unpack_from("<Q", extra, at + 4 + 8 * number)
            return tuple(found)
        at += 4 + length
    raise _broken("an entry lacks its size")


def _check_place(offset: int, least: int, most: int, path: str | None) -> None:
    """Refuse an entry that does not begin at the end of the one before it."""
    if offset < least:
        raise ArchiveRefused("overlap", "it overlaps with another entry, as in a bomb", PACKAGE_AGAIN, path)
    if offset > most:
        raise ArchiveRefused("hidden-data", "it holds bytes that belong to no entry", PACKAGE_AGAIN)


def _compare(file: BinaryIO, each: _Described, directory: int) -> ZipEntry:
    """Return an entry whose own header matches the directory."""
    name = _decoded(each)
    file.seek(each.offset)
    header = file.read(LOCAL.size)
    if len(header) < LOCAL.size:
        raise _broken("an entry lies outside the file", name)
    tag, _, _, flags, method, _, _, crc, packed, size, name_length, extra_length = LOCAL.unpack(header)
    raw_name = file.read(name_length)
    extra = file.read(extra_length)
    if tag != b"PK\x03\x04" or raw_name != each.raw_name or flags != each.flags or method != each.method:
        raise _two_faces(name)
    if not flags & HAS_DESCRIPTOR:
        size, packed = _wide(extra, size, packed)
        if (crc, packed, size) != (each.crc, each.packed, each.size):
            raise _two_faces(name)
    data_offset = each.offset + LOCAL.size + name_length + extra_length
    if data_offset + each.packed > directory:
        raise _broken("an entry lies outside the file", name)
    return ZipEntry(name, method, each.crc, each.packed, each.size, data_offset)


def _refused_kind(each: _Described, entry: ZipEntry) -> Iterator[ArchiveRefused]:
    """Yield reasons to refuse an entry that do not depend on its bytes."""
    name, method = entry.name, entry.method
    if each.flags & ENCRYPTED:
        yield ArchiveRefused("encrypted", "it is encrypted", "Send the archive without a password.", name)
    elif method not in {STORED, DEFLATED} or (method == STORED and each.packed != each.size):
        yield ArchiveRefused(
            "compression", f"its compression (method {method}) is not taken", "Use stored or deflate.", name
        )
    try:
        _check_mode(each, name)
    except ArchiveRefused as err:
        yield err


def _decoded(each: _Described) -> str:
    try:
        return each.raw_name.decode("utf-8" if each.flags & IS_UTF8 else "ascii")
    except UnicodeDecodeError as err:
        raise _name_refused(_shown(each.raw_name), "its name is no text") from err


def _shown(raw_name: bytes) -> str:
    return raw_name[:60].decode("ascii", "backslashreplace")


def _check_mode(each: _Described, name: str) -> None:
    mode = each.attributes >> 16 if each.made_by == MADE_BY_UNIX else 0
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        raise ArchiveRefused("link", "it is a link", "Put the file itself into the archive.", name)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ArchiveRefused(
            "device", "it is no regular file", "Put only regular files into the archive.", name
        )
    if name.endswith("/") != (kind == stat.S_IFDIR) and kind:
        raise _two_faces(name)
    if name.endswith("/") and each.size:
        raise ArchiveRefused("folder-with-data", "it is a folder with data", PACKAGE_AGAIN, name)


def check_names(names: Sequence[str], limits: ScanLimits) -> None:
    """Check that names of entries mean the same everywhere, and that no two clash. Raises ArchiveRefused."""
    raise_together(list(_refused_names(names, limits)))


def _refused_names(names: Sequence[str], limits: ScanLimits) -> Iterator[ArchiveRefused]:
    """Yield reasons to refuse names."""
    seen: dict[str, str] = {}
    for name in names:
        try:
            _check_name(name, limits)
        except ArchiveRefused as err:
            yield err
            continue
        folded = name.removesuffix("/").casefold()
        if folded in seen:
            yield ArchiveRefused(
                "duplicate-name", f"it has the same name as {seen[folded]}", "Keep one of them.", name
            )
        else:
            seen[folded] = name
    for name in seen.values():
        parents = name.removesuffix("/").casefold().split("/")[:-1]
        for depth in range(1, len(parents) + 1):
            above = seen.get("/".join(parents[:depth]))
            if above is not None and not above.endswith("/"):
                yield ArchiveRefused(
                    "duplicate-name", f"{above} is a file and a folder", "Rename one of them.", name
                )
                break


def _check_name(name: str, limits: ScanLimits) -> None:
    if len(name) > limits.most_name_characters:
        raise _name_refused(name[:60] + "…", f"its name has {len(name)} characters")
    path = name.removesuffix("/")
    if path.startswith("/") or DRIVE.match(path):
        raise _escape(name, "its path is absolute")
    parts = path.split("/")
    if ".." in parts or "." in parts or "" in parts:
        raise _escape(name, "its path leaves the archive's folder, or holds empty parts")
    for part in parts:
        if not PLAIN_NAME.fullmatch(part) or part[-1] in " ." or part[0] == " " or RESERVED.fullmatch(part):
            raise _name_refused(name, "its name holds characters that some systems read differently")


def _no_zip(file: BinaryIO) -> ArchiveRefused:
    file.seek(0)
    head = file.read(512)
    found = next((what for magic, what in FORMATS if head.startswith(magic)), None)
    if found is None and head[257:262] == b"ustar":
        found = "a tar archive"
    if found is not None:
        return ArchiveRefused("not-a-zip", f"it is {found} under another name", PACKAGE_AGAIN)
    if head.startswith(b"PK\x03\x04"):
        return ArchiveRefused(
            "truncated",
            "its end is missing, or other bytes follow it: it was cut, or added to",
            PACKAGE_AGAIN,
        )
    return ArchiveRefused("not-a-zip", "it is no zip archive, as every .mar is", PACKAGE_AGAIN)


def _broken(reason: str, path: str | None = None) -> ArchiveRefused:
    return ArchiveRefused("broken", reason, PACKAGE_AGAIN, path)


def _two_faces(path: str) -> ArchiveRefused:
    return ArchiveRefused(
        "two-faces",
        "its own header says something else than the directory of the archive",
        PACKAGE_AGAIN,
        path,
    )


def _escape(path: str, reason: str) -> ArchiveRefused:
    return ArchiveRefused("path-escape", reason, "Name entries by plain relative paths.", path)


def _name_refused(path: str, reason: str) -> ArchiveRefused:
    shown = path.encode("ascii", "backslashreplace").decode()
    return ArchiveRefused(
        "name", reason, "Use letters, digits and . _ - + alone, without a dot or blank at the end.", shown
    )
