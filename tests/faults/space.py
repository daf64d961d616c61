"""Fill the disks that submissions need: each submission must end in a clear state, and succeed once there is space.

The object store, the folder where archives are checked, the model store of the agent and the folder of its builds are
moved to file systems in memory, which can be made as small as what they hold. That takes root.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dynabench_client import ProblemError, UnreachableError
from dynabench_client.results.models import SubmissionStep, WholeSubmission
from dynabench_local import seaweedfs
from dynabench_local.stack import INFRASTRUCTURE, Stack
from dynabench_local.temporary import temporary_stack

from tests.faults.models import (
    MEBIBYTE,
    PATIENCE_SECONDS,
    Submitter,
    code_archive,
    ended,
    retire,
    wait_for,
)
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console, s3_client
from tests.scenarios import board, own_task, record, sign_up

ARCHIVE_BYTES = 48 * MEBIBYTE
LEFT_BYTES = 16 * MEBIBYTE
"""Free space of a full disk: less than an archive, so that writing begins and breaks off."""
ROOMY = "3G"
DATA_ARCHIVE = "sentiment-words.mar"
ROOM = ("no room", "is full", "object store")
DIGEST_LETTERS = 64
OTHER_MODEL = "sentiment-minilm"
RECORDS = 3
ASK_SECONDS, PAUSE_SECONDS = 0.5, 2.0
OURS = 3
"""Exit status of a command that failed by the platform's fault."""


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Fill the object store while an archive is sent and built, and each folder that its checks and servers write."""
    if os.geteuid() != 0:
        console.print("No disk was filled: only root may mount file systems of a size. Run it as root.")
        return
    layout = platform.stack.layout
    agent = platform.stack.parts["torchserve-agent"]
    objects = Disk(platform.stack, "seaweedfs", layout.object_store)
    store = Disk(platform.stack, agent.name, layout.model_store)
    builds = Disk(platform.stack, agent.name, Path(agent.environment["BUILD_FOLDER"]))
    checks = Disk(
        platform.stack, "registry-worker", Path(platform.stack.environment("registry")["WORK_FOLDER"])
    )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for disk in (objects, store, builds, checks):
            stack.enter_context(disk.in_memory())
        answers = stack.enter_context(_calling_meanwhile(platform))
        yield from _sent(platform, Submitter(platform, _code(folder, "full-objects")), objects)
        yield from _built(platform, Submitter(platform, _data(platform, folder, "full-served")), objects)
        for disk, step, archive in (
            (builds, "contract", _data(platform, folder, "full-builds")),
            (store, "deployed", _code(folder, "full-store")),
            (checks, "checksum", _code(folder, "full-checks")),
        ):
            yield from _checked(platform, Submitter(platform, archive), disk, step)
        yield from _half_written(platform)
    yield from _boards(platform)
    yield from _whole_disk()
    yield plain(f"{OTHER_MODEL} asked meanwhile", answers.asked, "calls")
    yield at_most(f"{OTHER_MODEL} did not answer", answers.failed, "calls", 0)


def _boards(platform: OwnPlatform) -> Iterator[Figure]:
    """Fill the disks of the databases and the log together: boards must count later events once there is space."""
    home = platform.stack.layout.home
    disks = [Disk(platform.stack, part, home / part) for part in ("postgres", "kafka")]
    with ExitStack() as in_memory:
        for disk in disks:
            in_memory.enter_context(disk.in_memory())
        with ExitStack() as full:
            for disk in disks:
                full.enter_context(disk.full())
            wait_for(lambda: _is_refused(platform) or None)
        began = time.monotonic()
        wait_for(lambda: all(_serves(platform.stack).values()) or None)
        wait_for(lambda: not _is_refused(platform) or None)
        brought_in = own_task(platform.url, platform.administrator).bring_in(map(record, range(RECORDS)))
        wait_for(lambda: board(platform.owner, brought_in).tries == RECORDS or None)
        yield plain(
            "database and log full: boards count again, after there was room", time.monotonic() - began, "s"
        )


def _is_refused(platform: OwnPlatform) -> bool:
    """Return whether sign-up is refused."""
    try:
        sign_up(platform.url)
    except (ProblemError, UnreachableError):
        return True
    return False


def _whole_disk() -> Iterator[Figure]:
    """Fill the disk of a stack's data folder: its stores end, and restart once there is space."""
    with temporary_stack() as stack:
        home = stack.layout.home
        _run("mount", "-t", "tmpfs", "-o", f"size={ROOMY},mode=711", "tmpfs", str(home))
        try:
            stack.up(list(INFRASTRUCTURE))
            disk = Disk(stack, "whole disk", home)
            with disk.full():
                wait_for(lambda: None if all(_serves(stack).values()) else True)
                wait_for(lambda: stack.troubles() or None)
            began = time.monotonic()
            wait_for(lambda: all(_serves(stack).values()) or None)
            yield plain(
                "whole disk: all stores back, after there was room again", time.monotonic() - began, "s"
            )
            yield at_most("whole disk: supervisor ended", not stack.supervisor.is_running(), "", 0)
        finally:
            stack.down()
            _run("umount", str(home))


def _serves(stack: Stack) -> dict[str, bool]:
    """Tell of each store whether it serves; S3 must write an object."""
    return {name: stack.parts[name].is_ready() for name in INFRASTRUCTURE}


class Disk:
    """A folder that a part writes, on a file system in memory whose size can be changed."""

    def __init__(self, stack: Stack, part: str, folder: Path) -> None:
        self.folder = folder
        self.name = f"{part}/{folder.name}"
        self._stack = stack
        self._part = part

    @contextmanager
    def in_memory(self) -> Iterator[None]:
        """Move what is in the folder there, and back at the end."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        aside = self.folder.with_name(f"{self.folder.name}-aside")
        with self._part_stopped():
            self.folder.rename(aside)
            self.folder.mkdir(mode=aside.stat().st_mode & 0o777)
            _run("mount", "-t", "tmpfs", "-o", f"size={ROOMY}", "tmpfs", str(self.folder))
            _run("cp", "-a", f"{aside}/.", str(self.folder))
        shutil.rmtree(aside)
        try:
            yield
        finally:
            with self._part_stopped():
                _run("cp", "-a", str(self.folder), str(aside))
                _run("umount", str(self.folder))
                self.folder.rmdir()
                aside.rename(self.folder)

    @contextmanager
    def full(self, left_bytes: int = 0) -> Iterator[None]:
        """Leave so many bytes free, rounded to pages."""
        wait_for(lambda: self._shrunk(left_bytes) or None)
        try:
            yield
        finally:
            _run("mount", "-o", f"remount,size={ROOMY}", str(self.folder))

    def _shrunk(self, left_bytes: int) -> bool:
        """Return whether the size could be set; it is refused if the folder has grown since its use was read."""
        status = os.statvfs(self.folder)
        used = (status.f_blocks - status.f_bfree) * status.f_frsize
        size = max(used + left_bytes, status.f_frsize)
        command = ["mount", "-o", f"remount,size={size}", str(self.folder)]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0

    @contextmanager
    def _part_stopped(self) -> Iterator[None]:
        self._stack.supervisor.stop_part(self._part)
        try:
            yield
        finally:
            self._stack.supervisor.start_part(self._part)
            wait_for(lambda: self._stack.parts[self._part].is_ready() or None)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def _code(folder: Path, name: str) -> Path:
    return code_archive(folder, name, ARCHIVE_BYTES)


def _data(platform: OwnPlatform, folder: Path, name: str) -> Path:
    """Copy an archive of weights and tokenizer alone, which the agent rebuilds."""
    return Path(shutil.copyfile(platform.stack.layout.model_store / DATA_ARCHIVE, folder / f"{name}.mar"))


@dataclass
class Answers:
    """Calls to another model, and those without an answer."""

    asked: int = 0
    failed: int = 0


@contextmanager
def _calling_meanwhile(platform: OwnPlatform) -> Iterator[Answers]:
    """Call another model continuously."""
    client, answers, over = platform.client("olga", retry=False), Answers(), threading.Event()

    def ask() -> None:
        while not over.wait(ASK_SECONDS):
            answers.asked += 1
            try:
                client.gateway.predict(OTHER_MODEL, [{"text": f"The soup was cold {answers.asked} times."}])
            except (ProblemError, UnreachableError):
                answers.failed += 1

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        yield answers
    finally:
        over.set()
        thread.join()


def _sent(platform: OwnPlatform, submitter: Submitter, disk: Disk) -> Iterator[Figure]:
    """Send an archive to a full store; the same command succeeds once there is space."""
    with disk.full(LEFT_BYTES):
        status = submitter.send().wait(PATIENCE_SECONDS)
        found = submitter.newest()
    state = "unknown" if found is None else found.state
    console.print(f"{disk.name} full while an archive is sent: exit status {status}, {state}")
    yield at_most("object store full: sending ends otherwise than as ours", status != OURS, "", 0)
    yield at_most("object store full: an archive sent in part is no draft", state != "draft", "", 0)
    yield at_most("object store full: counted", _counted(submitter), "submissions", 0)
    yield from _has_space(platform, submitter, "object store")


def _has_space(platform: OwnPlatform, submitter: Submitter, name: str) -> Iterator[Figure]:
    """Repeat the command until the store has noticed the free space."""
    began = time.monotonic()
    try:
        wait_for(lambda: True if submitter.send().wait(PATIENCE_SECONDS) == 0 else None)
    except TimeoutError as err:
        raise TimeoutError(f"{name}: not sent though there is room: {submitter.errors()}") from err
    submission = ended(platform, submitter)
    yield plain(f"{name}: whole, after there was room again", time.monotonic() - began, "s")
    yield at_most(f"{name}: not deployed once there is room", submission.state != "deployed", "", 0)
    retire(platform, submission)


def _built(platform: OwnPlatform, submitter: Submitter, disk: Disk) -> Iterator[Figure]:
    """Fill the store once it has the archive, so that the built one finds no space."""
    if submitter.send().wait(PATIENCE_SECONDS) != 0:
        raise RuntimeError("the archive was not sent")
    with disk.full():
        failed = ended(platform, submitter)
    yield from _refusal_figures(platform, submitter, disk, failed, "contract")


def _checked(platform: OwnPlatform, submitter: Submitter, disk: Disk, step: str) -> Iterator[Figure]:
    """Let a step of the checks find no space; run it again once there is some."""
    with disk.full():
        if submitter.send().wait(PATIENCE_SECONDS) != 0:
            raise RuntimeError("the archive was not sent")
        failed = ended(platform, submitter)
    yield from _refusal_figures(platform, submitter, disk, failed, step)


def _refusal_figures(
    platform: OwnPlatform, submitter: Submitter, disk: Disk, failed: WholeSubmission, step: str
) -> Iterator[Figure]:
    last = next(each for each in failed.steps if each.step == failed.step)
    console.print(
        f"{disk.name} full: {failed.state} at {last.step}, {last.fault}: {last.reason} {last.remedy}"
    )
    name = f"{disk.name} full at {step}"
    yield at_most(f"{name}: not refused there", (failed.state, last.step) != ("refused", step), "", 0)
    yield at_most(f"{name}: not called the platform's fault", last.fault != "ours", "", 0)
    yield at_most(f"{name}: no reason that names the room, or no remedy", not _is_clear(last), "", 0)
    yield at_most(f"{name}: counted", _counted(submitter), "submissions", 0)
    began = time.monotonic()
    again = wait_for(lambda: _run_again(platform, submitter, failed.submission_id, last.step))
    yield plain(f"{name}: deployed, after there was room again", time.monotonic() - began, "s")
    retire(platform, again)


def _run_again(
    platform: OwnPlatform, submitter: Submitter, submission_id: str, step: str
) -> WholeSubmission | None:
    submitter.client.registry.run_step_again(submission_id, step)
    found = ended(platform, submitter)
    if found.state == "deployed":
        return found
    console.print(f"again {found.state}: {found.failed_step and found.failed_step.reason}")
    time.sleep(PAUSE_SECONDS)
    return None


def _counted(submitter: Submitter) -> int:
    quota = submitter.client.registry.submissions(task="sentiment").quota
    return 0 if quota is None else quota.used


def _is_clear(step: SubmissionStep) -> bool:
    reason = step.reason or ""
    return any(words in reason for words in ROOM) and "/" not in reason and bool(step.remedy)


def _half_written(platform: OwnPlatform) -> Iterator[Figure]:
    """Compare the bytes of objects named by digest with their digests."""
    store = platform.stack.layout.model_store
    fetched = [path for path in store.glob("*.mar") if len(path.stem) == DIGEST_LETTERS]
    wrong = [path.name for path in fetched if hashlib.sha256(path.read_bytes()).hexdigest() != path.stem]
    client = s3_client(platform)
    held = client.list_objects_v2(Bucket=seaweedfs.BUCKET, Prefix="served/").get("Contents", [])
    built = [each["Key"] for each in held if each["Key"].endswith(".mar")]
    for key in built:
        body = client.get_object(Bucket=seaweedfs.BUCKET, Key=key)["Body"].read()
        if hashlib.sha256(body).hexdigest() != Path(key).stem:
            wrong.append(key)
    yield plain("archives named by their digest, in the model store and in S3", len(fetched) + len(built), "")
    yield at_most("half-written archives among them", len(wrong), "", 0)
    yield at_most("parts of archives left in the model store", len(list(store.glob("*.partial"))), "", 0)
