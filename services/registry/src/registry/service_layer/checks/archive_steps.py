"""The steps that look at an archive without running anything of it: checksum, opened, scanned, manifest."""

import errno
import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from dynabench_archives.model_servers import Fault, Pool
from dynabench_archives.scanning import (
    Finding,
    ScanKind,
    ScanLimits,
    ScanReport,
    open_archive,
    read_text,
    scan_archive,
)

from registry.adapters.signatures import signer
from registry.adapters.submission_store import keep_entry_texts
from registry.domain.errors import DiskFull, SignatureRefused, StepFailed
from registry.domain.submission import Archive
from registry.service_layer.checks.step_run import Outcome, StepRun, storable
from registry.service_layer.dependencies import WorkerDependencies

DESCRIPTION = "dynabench.json"
REPORT_EVERY_BYTES = 256 * 1024 * 1024
SHOWN_KINDS = frozenset({"code", "text", "configuration", "description", "manifest", "our_handler", "other"})
SHOWN_ENTRY_BYTES = 64 * 1024
SHOWN_BYTES = 2 * 1024 * 1024
MOST_ENTRIES_STORED = 2_000
LIMITS = ScanLimits()
SIGN_AGAIN = (
    "Sign the file with dynabench models sign, and submit it with that signature and the public key of the same key; "
    "or submit it without a signature."
)
NOT_A_MODEL = "Make the archive with dynabench models package, and look at it with dynabench models check."


def checksum(run: StepRun, app: WorkerDependencies) -> Outcome:
    """Fetch the archive; compare its digest with the announced one, and its signature with its bytes."""
    archive = run.submission.archive
    found = _fetch(run, app)
    if archive.digest and found != archive.digest:
        run.archive.unlink(missing_ok=True)
        raise StepFailed(
            Fault.YOURS,
            f"The bytes that arrived have the digest {found}; {archive.digest} was announced.",
            "The file changed while it was sent. Submit it again.",
        )
    run.say(f"digest {found}{'' if archive.digest else ' (none was announced)'}")
    return Outcome({"archive_digest": found, "signed_by": _signer(run, found)})


def _signer(run: StepRun, digest: str) -> str | None:
    """Return the fingerprint of the key that signed the archive, None without a signature. Raises StepFailed."""
    signature = run.submission.signature
    if signature is None:
        return None
    try:
        fingerprint = signer(signature, digest)
    except SignatureRefused as err:
        run.archive.unlink(missing_ok=True)
        raise StepFailed(Fault.YOURS, f"The signature does not fit the archive: {err}.", SIGN_AGAIN) from err
    run.say(f"signed with the key {fingerprint}")
    return fingerprint


def opened(run: StepRun, app: WorkerDependencies) -> Outcome:
    """Look whether it is a zip that can be walked safely, before anything is unpacked."""
    _ensure_here(run, app)
    findings = open_archive(run.archive, LIMITS)
    _refuse(run, findings, {"scan": _unread(findings)})
    run.say("a zip archive that can be read safely")
    return Outcome()


def scanned(run: StepRun, app: WorkerDependencies) -> Outcome:
    """Decide by the allow-list whether it is data alone, or a program."""
    _ensure_here(run, app)
    report = scan_archive(run.archive, LIMITS, run.say)
    columns = {"scan": _stored(report), "pool": _pool(report)}
    keep_entry_texts(app.engine, run.submission.submission_id, _entry_texts(run, report))
    _refuse(run, report.findings, columns)
    if report.kind is ScanKind.CODE:
        run.say("the archive holds code: it runs in a sandbox of its own, once an owner of the task agrees")
    else:
        run.say("weights, tokenizer and configuration alone: the platform's own handler runs them")
    return Outcome(columns)


def manifest(run: StepRun, app: WorkerDependencies) -> Outcome:
    """Check that the archive describes its model and, if it runs code, names its handler."""
    _ensure_here(run, app)
    scan = run.submission.scan or {}
    description = scan.get("description")
    if description is None:
        raise StepFailed(Fault.YOURS, f"The archive has no usable {DESCRIPTION}.", NOT_A_MODEL)
    if scan["kind"] == ScanKind.CODE and not scan.get("handler"):
        raise StepFailed(Fault.YOURS, "The manifest names no handler inside the archive.", NOT_A_MODEL)
    labels = ", ".join(description["labels"]) or "no labels"
    run.say(f"{description['task_type']}, reads {', '.join(description['fields'])}, answers {labels}")
    return Outcome()


def _fetch(run: StepRun, app: WorkerDependencies) -> str:
    """Write the archive to the folder; return its digest. Raises StepFailed, ObjectsUnavailable."""
    archive = run.submission.archive
    _ensure_room(run, archive)
    partial = run.archive.with_suffix(".partial")
    digest, size, reported = hashlib.sha256(), 0, 0
    with _disk_full(), partial.open("wb") as file:
        for piece in app.objects.read(archive.key):
            digest.update(piece)
            file.write(piece)
            size += len(piece)
            if size - reported >= REPORT_EVERY_BYTES:
                reported = size
                run.say(f"read {size:,} of {archive.size:,} bytes")
    if size != archive.size:
        partial.unlink()
        raise StepFailed(
            Fault.YOURS, f"{size:,} bytes arrived of {archive.size:,}.", "Submit the archive again."
        )
    partial.replace(run.archive)
    return f"sha256:{digest.hexdigest()}"


def _ensure_room(run: StepRun, archive: Archive) -> None:
    run.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    free = shutil.disk_usage(run.folder).free
    if free < 2 * archive.size:
        raise DiskFull(f"{free:,} bytes are free in the folder of archives, {archive.size:,} are needed")


def _ensure_here(run: StepRun, app: WorkerDependencies) -> None:
    """Fetch the archive again where another worker did the steps before."""
    archive = run.submission.archive
    if run.archive.exists() and run.archive.stat().st_size == archive.size:
        return
    run.say("fetching the archive again")
    if _fetch(run, app) != archive.digest:
        raise RuntimeError("the stored archive changed since its checksum was taken")


def _refuse(
    run: StepRun,
    findings: tuple[Finding, ...],
    columns: Mapping[str, Any] | None = None,
) -> None:
    for finding in findings:
        where = f"{finding.path}: " if finding.path else ""
        run.say(f"{'refused' if finding.is_refusal else 'note'}: {where}{finding.reason}")
    first = next((finding for finding in findings if finding.is_refusal), None)
    if first is not None:
        where = f"{first.path}: " if first.path else ""
        raise StepFailed(Fault.YOURS, f"{where}{first.reason}", first.remedy, columns)


def _entry_texts(run: StepRun, report: ScanReport) -> dict[str, str]:
    """Return the texts of entries that people look at before they decide, up to a limit."""
    texts: dict[str, str] = {}
    left = SHOWN_BYTES
    for entry in report.entries:
        if entry.kind not in SHOWN_KINDS or entry.size > min(SHOWN_ENTRY_BYTES, left):
            continue
        text = read_text(run.archive, entry.path, SHOWN_ENTRY_BYTES)
        if text is not None and "\x00" not in text:
            texts[storable(entry.path)] = text
            left -= entry.size
    return texts


@contextmanager
def _disk_full() -> Iterator[None]:
    """Turn what a full disk raises into DiskFull."""
    try:
        yield
    except OSError as err:
        if err.errno != errno.ENOSPC:
            raise
        raise DiskFull(str(err)) from err


def _pool(report: ScanReport) -> Pool:
    return Pool.SANDBOXED if report.kind is ScanKind.CODE else Pool.SHARED


def _unread(findings: tuple[Finding, ...]) -> Mapping[str, Any]:
    """Return the report of an archive that could not be opened: the findings, without its contents."""
    return _stored(ScanReport(ScanKind.REFUSED, (), findings, None, None, ""))


def _stored(report: ScanReport) -> Mapping[str, Any]:
    """Return the report as it is stored and shown."""
    return {
        "kind": report.kind,
        "content_digest": report.content_digest,
        "handler": report.handler,
        "description": None if report.description is None else asdict(report.description),
        "entries": [asdict(entry) for entry in report.entries[:MOST_ENTRIES_STORED]],
        "findings": [asdict(finding) for finding in report.findings[:MOST_ENTRIES_STORED]],
    }
