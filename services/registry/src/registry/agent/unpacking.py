"""Takes the data out of a submitted archive, after a scan of its own: what was scanned earlier may have changed."""

from pathlib import Path

from dynabench_archives.scanning import ScanKind, ScanLimits, extract_data, scan_archive
from dynabench_archives.scanning.report import ArchiveRefused

from registry.agent.packaging import BuildFailed, Say
from registry.domain.submission import Fault

PACKAGE_AGAIN = "Package the model again with dynabench models package, and send that."


def unpack(source: Path, folder: Path, say: Say) -> None:
    """Write the data files of a declarative archive into a folder. Raises BuildFailed for any other archive."""
    report = scan_archive(source, ScanLimits(), say)
    if report.kind is not ScanKind.DECLARATIVE:
        reason = next((finding.reason for finding in report.findings), "it holds more than data")
        raise BuildFailed(
            Fault.YOURS,
            f"the archive can't be built from data alone: {reason}",
            "Send an archive of data only.",
        )
    try:
        extract_data(source, report, folder)
    except ArchiveRefused as err:
        raise BuildFailed(Fault.YOURS, str(err), PACKAGE_AGAIN) from err
