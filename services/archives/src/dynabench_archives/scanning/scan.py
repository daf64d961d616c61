"""Scan: each entry is read once, hashed and classified, and the allow-list decides on the whole."""

import hashlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from dynabench_archives.scanning import contents
from dynabench_archives.scanning.entry_reading import pieces
from dynabench_archives.scanning.report import (
    PACKAGE_AGAIN,
    ArchiveDescription,
    ArchiveRefused,
    EntryKind,
    EntryReport,
    Finding,
    ScanKind,
    ScanLimits,
    ScanReport,
    raise_together,
)
from dynabench_archives.scanning.zip_directory import ZipEntry, read_directory

PROGRESS_EVERY_SECONDS = 5.0
HANDLER = re.compile(r"([A-Za-z0-9_./-]{1,200})(?::[A-Za-z_]\w{0,99})?", re.ASCII)
MAKES_CODE = frozenset({EntryKind.CODE, EntryKind.PICKLE, EntryKind.OTHER})
LEFT_OUT = "Nothing to do, unless the model needs it: then write a handler.py (dynabench models init)."
CODE_REMEDY = (
    "Leave it: an owner of the task decides on it. Or submit weights, tokenizer and configuration alone."
)
TEXT = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
TASK_TYPE = re.compile(r"[a-z-]{1,60}")
MOST_LABELS = 1_000
Tell = Callable[[str], None]


def _ignore_progress(_line: str) -> None:
    """Ignore the line."""


def open_archive(path: Path, limits: ScanLimits) -> tuple[Finding, ...]:
    """Return the findings that forbid to read an archive, without unpacking it. Empty if it can be scanned."""
    try:
        with path.open("rb") as file:
            _check_sizes(read_directory(file, limits), limits)
    except ArchiveRefused as err:
        return err.findings
    return ()


def _check_sizes(entries: tuple[ZipEntry, ...], limits: ScanLimits) -> None:
    total = sum(entry.size for entry in entries)
    if total > limits.most_bytes:
        raise ArchiveRefused(
            "bomb", f"it would unpack to {total:,} bytes; {limits.most_bytes:,} are the most", PACKAGE_AGAIN
        )
    bombs = []
    for entry in entries:
        is_bomb = entry.size >= limits.ratio_from_bytes and entry.size > limits.most_ratio * max(
            1, entry.packed
        )
        if is_bomb or entry.size > limits.most_entry_bytes:
            bombs.append(
                ArchiveRefused(
                    "bomb",
                    f"{entry.packed:,} packed bytes would unpack to {entry.size:,}",
                    PACKAGE_AGAIN,
                    entry.name,
                )
            )
    raise_together(bombs)


def _check_place_of_files(names: list[str]) -> None:
    """Refuse a zipped folder: its files must lie at the top."""
    own = [name for name in names if not contents.is_left_by_a_system(name)]
    (top, *others) = {name.partition("/")[0] for name in own} or {""}
    if not others and all("/" in name for name in own) and f"{top}/" not in contents.MANIFEST:
        raise ArchiveRefused(
            "folder",
            f"all of it lies in the folder {top!r}",
            f"Package that folder: dynabench models package {top}. Or zip what it holds, not the folder.",
        )


@dataclass
class _Scan:
    """Findings so far."""

    limits: ScanLimits
    tell: Tell
    entries: list[EntryReport] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    description: ArchiveDescription | None = None
    handler: str | None = None
    asks_for_packages: bool = False
    reported_at: float = field(default_factory=time.monotonic)

    def refuse(self, err: ArchiveRefused) -> None:
        """Note a reason to refuse the archive."""
        self.findings.extend(err.findings)

    def note(self, code: str, path: str | None, reason: str, remedy: str) -> None:
        """Note a finding that does not refuse the archive."""
        self.findings.append(Finding(code, False, path, reason, remedy))

    def report_progress(self, line: str) -> None:
        """Report progress, throttled."""
        if time.monotonic() - self.reported_at >= PROGRESS_EVERY_SECONDS:
            self.reported_at = time.monotonic()
            self.tell(line)


def scan_archive(path: Path, limits: ScanLimits, tell: Tell = _ignore_progress) -> ScanReport:
    """Return the report of an archive. `tell` receives log lines about the progress."""
    scan = _Scan(limits, tell)
    try:
        with path.open("rb") as file:
            entries = read_directory(file, limits)
            _check_sizes(entries, limits)
            _check_place_of_files([entry.name for entry in entries if not entry.is_folder])
            tell(f"{len(entries)} entries")
            for entry in entries:
                if not entry.is_folder:
                    _scan_entry(scan, file, entry)
    except ArchiveRefused as err:
        scan.refuse(err)
    _check_whole(scan)
    return _report(scan)


def _scan_entry(scan: _Scan, file: BinaryIO, entry: ZipEntry) -> None:
    digest, kept, size = hashlib.sha256(), bytearray(), 0
    keep = _kept_bytes(entry, scan.limits)
    for piece in pieces(file, entry):
        digest.update(piece)
        if len(kept) < keep:
            kept += piece[: keep - len(kept)]
        size += len(piece)
        scan.report_progress(f"read {size:,} of {entry.size:,} bytes of {entry.name}")
    kind = contents.kind_of(entry.name, digest.hexdigest(), bytes(kept[:8]))
    scan.entries.append(EntryReport(entry.name, entry.size, digest.hexdigest(), kind))
    try:
        _look_into(scan, entry, kind, bytes(kept))
    except ArchiveRefused as err:
        scan.refuse(err)


def _kept_bytes(entry: ZipEntry, limits: ScanLimits) -> int:
    """Return how many bytes of an entry are inspected; a larger entry is classified by its path alone."""
    if entry.name == contents.WEIGHTS:
        return contents.LARGEST_HEADER + 8
    if entry.name.endswith(".json"):
        return limits.most_json_bytes + 1
    return contents.LOOKED_INTO_BYTES if entry.size <= contents.LOOKED_INTO_BYTES else 8


def _look_into(scan: _Scan, entry: ZipEntry, kind: EntryKind, data: bytes) -> None:
    if kind is EntryKind.WEIGHTS:
        contents.check_weights(entry.size, data, entry.name)
    elif kind is EntryKind.PICKLE:
        scan.findings.append(contents.pickle_evidence(entry.name, data))
    elif kind is EntryKind.GRAPH:
        reason = "the platform makes its own graph from the weights; this one isn't used"
        scan.note("graph-dropped", entry.name, reason, "Nothing to do.")
    elif kind in {EntryKind.CODE, EntryKind.OTHER}:
        scan.note("code", entry.name, f"it is not on the list of data ({kind})", CODE_REMEDY)
    elif entry.name.endswith(".json"):
        if entry.size > scan.limits.most_json_bytes:
            raise ArchiveRefused(
                "too-large",
                f"it has {entry.size:,} bytes",
                f"Keep it under {scan.limits.most_json_bytes:,}.",
                entry.name,
            )
        _look_into_json(scan, entry.name, kind, contents.json_object(data, entry.name))


def _look_into_json(scan: _Scan, path: str, kind: EntryKind, content: Mapping[str, Any]) -> None:
    if kind is EntryKind.MANIFEST:
        scan.handler = _handler_of(content)
        model = content.get("model")
        scan.asks_for_packages = isinstance(model, Mapping) and bool(model.get("requirementsFile"))
    elif kind is EntryKind.DESCRIPTION:
        scan.description = description_of(content)
    elif (key := contents.names_code(content)) is not None:
        scan.entries[-1] = EntryReport(path, scan.entries[-1].size, scan.entries[-1].sha256, EntryKind.CODE)
        scan.note("remote-code", path, f"it asks for code of its own ({key})", CODE_REMEDY)


def _handler_of(manifest: Mapping[str, Any]) -> str | None:
    """Return the file of the handler that a manifest names, as FILE or FILE:FUNCTION.

    Raises ArchiveRefused for one outside the archive.
    """
    model = manifest.get("model")
    handler = model.get("handler") if isinstance(model, Mapping) else None
    if handler is None:
        return None
    plain = HANDLER.fullmatch(handler) if isinstance(handler, str) else None
    if plain is None or plain[1].startswith("/") or ".." in plain[1].split("/"):
        raise ArchiveRefused(
            "handler-outside",
            f"its handler {str(handler)[:80]!r} does not lie in the archive",
            "Name a file of the archive.",
            contents.MANIFEST,
        )
    return plain[1]


def description_of(content: Mapping[str, Any]) -> ArchiveDescription:
    """Return the archive's description. Raises ArchiveRefused naming the field at fault."""
    task_type, most = content.get("task_type"), content.get("max_tokens")
    if not isinstance(task_type, str) or not TASK_TYPE.fullmatch(task_type):
        raise _bad_description("task_type", "a text")
    if most is not None and (type(most) is not int or not 1 <= most <= 1_000_000):
        raise _bad_description("max_tokens", "a whole number")
    return ArchiveDescription(
        name=_one_text(content, "name"),
        version=_one_text(content, "version"),
        task_type=task_type,
        fields=_texts(content, "fields", 16),
        labels=_texts(content, "labels", MOST_LABELS),
        max_tokens=most,
    )


def _one_text(content: Mapping[str, Any], name: str) -> str:
    value = content.get(name, "")
    if not isinstance(value, str | int) or (value != "" and not TEXT.fullmatch(str(value))):
        raise _bad_description(name, "a text")
    return str(value)


def _texts(content: Mapping[str, Any], name: str, most: int) -> tuple[str, ...]:
    values = content.get(name)
    is_list = (
        isinstance(values, list)
        and len(values) <= most
        and len({str(value) for value in values}) == len(values)
    )
    if not is_list or not all(isinstance(value, str) and TEXT.fullmatch(value) for value in values or ()):
        raise _bad_description(name, "a list of different texts")
    return tuple(values or ())


def _bad_description(name: str, wanted: str) -> ArchiveRefused:
    return ArchiveRefused("description", f"its {name} must be {wanted}", PACKAGE_AGAIN, contents.DESCRIPTION)


def _check_whole(scan: _Scan) -> None:
    """Note missing parts of the archive, and parts left out."""
    if any(finding.is_refusal for finding in scan.findings):
        return
    paths = {entry.path for entry in scan.entries}
    kind = _kind(scan)
    if contents.MANIFEST not in paths:
        scan.refuse(ArchiveRefused("no-manifest", f"there is no {contents.MANIFEST}", PACKAGE_AGAIN))
    elif scan.description is None:
        scan.refuse(ArchiveRefused("no-description", f"there is no {contents.DESCRIPTION}", PACKAGE_AGAIN))
    elif kind is ScanKind.CODE and not _holds_handler(scan):
        scan.refuse(_handler_missing(scan, paths))
    elif kind is ScanKind.DECLARATIVE and not contents.holds_model(paths):
        scan.refuse(
            ArchiveRefused(
                "no-weights",
                f"it has no {contents.WEIGHTS} with a {contents.CONFIGURATION}",
                contents.weights_remedy(paths),
            )
        )
    elif kind is ScanKind.DECLARATIVE:
        _note_left_out(scan)
    elif scan.asks_for_packages or contents.REQUIREMENTS in paths:
        reason = "it asks for packages, and the platform installs none"
        path = contents.REQUIREMENTS if contents.REQUIREMENTS in paths else contents.MANIFEST
        scan.note("requirements", path, reason, contents.NOT_INSTALLED)


def _handler_missing(scan: _Scan, paths: set[str]) -> ArchiveRefused:
    named = f"the handler {scan.handler!r}, which is not in the archive" if scan.handler else "no handler"
    remedy = (
        "Put a handler.py into the model's folder (dynabench models init writes one), and package the folder."
    )
    if contents.holds_model(paths):
        code = next((entry.path for entry in scan.entries if entry.kind in MAKES_CODE), "auto_map")
        remedy = (
            f"For an archive of data take out {code}. For one with code name its handler in the manifest."
        )
    return ArchiveRefused("handler-missing", f"its manifest names {named}", remedy, contents.MANIFEST)


def _note_left_out(scan: _Scan) -> None:
    """Note further files in an archive of data; they are not unpacked."""
    left = [entry.path for entry in scan.entries if entry.kind in MAKES_CODE]
    scan.findings = [finding for finding in scan.findings if finding.path not in left]
    for path in left:
        scan.note(
            "left-out", path, "it is left out: it is neither weights, tokenizer nor configuration", LEFT_OUT
        )


def _holds_handler(scan: _Scan) -> bool:
    """Return whether the archive holds the handler that its manifest names, and it is not the platform's own."""
    named = {scan.handler, f"{scan.handler}.py"}
    return any(entry.path in named and entry.kind is not EntryKind.OUR_HANDLER for entry in scan.entries)


def _kind(scan: _Scan) -> ScanKind:
    """Return the archive's kind: data, if it has no program and names no handler of its own."""
    if any(finding.is_refusal for finding in scan.findings):
        return ScanKind.REFUSED
    odd = {entry.kind for entry in scan.entries} & MAKES_CODE
    paths = {entry.path for entry in scan.entries}
    is_data = EntryKind.CODE not in odd and contents.holds_model(paths)
    return ScanKind.CODE if odd and (not is_data or _holds_handler(scan)) else ScanKind.DECLARATIVE


def _report(scan: _Scan) -> ScanReport:
    entries = tuple(sorted(scan.entries, key=lambda entry: entry.path))
    digest = hashlib.sha256()
    for entry in entries:
        digest.update(f"{entry.sha256} {entry.path}\n".encode())
    return ScanReport(
        kind=_kind(scan),
        entries=entries,
        findings=tuple(scan.findings),
        description=scan.description,
        handler=scan.handler,
        content_digest=f"sha256:{digest.hexdigest()}",
    )
