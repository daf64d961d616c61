"""Times of a submitted model: upload of the archive, its checks, and answers from a sandbox."""

import http.client
import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import urllib3
from boto3.s3.transfer import TransferConfig
from dynabench_client.archive_upload import ArchiveFile, ArchiveUpload
from dynabench_client.results.models import WholeSubmission
from dynabench_local import seaweedfs

from tests.bench.load import JsonPost, Sample, run
from tests.figures import Figure, plain
from tests.hostile_archives import packed, with_code
from tests.hostile_handlers import handler
from tests.own_platform import OwnPlatform, console, s3_client

MEBIBYTE = 1 << 20
ARCHIVE_BYTES = 100 * MEBIBYTE
PARTS_AT_ONCE = 4
TURNS = 3
SECONDS = 4.0
PATIENCE_SECONDS = 300.0
INSTANCES = {"instances": [{"text": "The soup was cold, and nobody seemed to mind."}]}


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Send an archive of 100 MB, turn about with a plain copy; follow its checks; ask it in its sandbox."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "large.mar"
        sent, copied = [], []
        for turn in range(TURNS):
            weights = os.urandom(ARCHIVE_BYTES)  # equal bytes would be recognised and not sent again
            archive.write_bytes(packed(with_code(handler(), **{"weights.bin": weights})))
            copied.append(_copy(platform, archive))
            began = time.monotonic()
            seconds, submission_id = _send(platform, archive, f"large-{turn}")
            sent.append(seconds)
        rates = [ARCHIVE_BYTES / MEBIBYTE / min(each) for each in (sent, copied)]
        yield plain("upload of 100 MB: digest, parts, completion", rates[0], "MiB/s")
        yield plain("plain S3 copy of the same file", rates[1], "MiB/s")
        yield plain("upload over a plain S3 copy, time", min(sent) / min(copied), "×")
    submission = _ended(platform, submission_id)
    console.print(f"models: sent in {min(sent):.1f} s, copied in {min(copied):.1f} s, {submission.state}")
    yield plain("100 MB of code, begun to accepted, approved at once", time.monotonic() - began, "s")
    yield plain("of it the start of its sandbox", _seconds(submission, "deployed"), "s")
    yield from _calls(platform, submission.serving_name or "")


def _send(platform: OwnPlatform, path: Path, model: str) -> tuple[float, str]:
    area = platform.new_annotator(model).registry
    began = time.monotonic()
    file = ArchiveFile.read(path, lambda _: None)
    begun = area.submit("sentiment", model, path.name, file.size, digest=file.digest).submission
    ArchiveUpload(area, file, parts_at_once=PARTS_AT_ONCE).send(begun, lambda _: None)
    return time.monotonic() - began, begun.submission_id


def _copy(platform: OwnPlatform, path: Path) -> float:
    client = s3_client(platform)
    config = TransferConfig(multipart_chunksize=8 * MEBIBYTE, max_concurrency=PARTS_AT_ONCE)
    began = time.monotonic()
    client.upload_file(str(path), seaweedfs.BUCKET, "measured", Config=config)
    return time.monotonic() - began


def _ended(platform: OwnPlatform, submission_id: str) -> WholeSubmission:
    """Return the submission once its checks have ended; an owner approves its code at once."""
    area = platform.administrator.registry
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        found = area.submission(submission_id)
        if found.state == "waiting":
            area.decide_on_submission(submission_id, approve=True, reason="A measurement.")
        elif not found.is_moving:
            if found.state != "deployed":
                raise AssertionError(f"the measured archive was {found.state}: {found.failed_step}")
            return found
        time.sleep(0.2)
    raise AssertionError(f"the checks took longer than {PATIENCE_SECONDS:.0f} s")


def _seconds(submission: WholeSubmission, name: str) -> float:
    step = next(each for each in submission.steps if each.step == name)
    if step.started_at is None or step.ended_at is None:
        raise AssertionError(f"the step {name} has not ended")
    return (step.ended_at - step.started_at).total_seconds()


def _calls(platform: OwnPlatform, name: str) -> Iterator[Figure]:
    """Ask the model in its sandbox directly and through the gateway, turn about."""
    layout, secrets = platform.stack.layout, platform.stack.secrets
    headers = {"Authorization": f"Bearer {secrets['service_token_gateway']}"}
    listed = urllib3.request(
        "GET", layout.url("registry") + "/api/registry/v1/models", headers=headers
    ).json()
    address = next(each["address"] for each in listed["models"] if each["name"] == name)
    direct, gateway = Sample(), Sample()
    socket_post = _SocketPost(address.removeprefix("unix:"), f"/predictions/{quote(name)}")
    url = layout.url("gateway") + f"/api/gateway/v1/models/{quote(name)}:predict"
    through = JsonPost(url, secrets["service_token_annotation"])
    for _ in range(TURNS):
        direct.add(run([lambda _: socket_post(INSTANCES)], SECONDS))
        gateway.add(run([lambda _: through(INSTANCES)], SECONDS))
    console.print(f"sandbox: direct {direct.p50:.1f} ms, through the gateway {gateway.p50:.1f} ms")
    yield plain("a model in a sandbox, asked directly, p50 at 1", direct.p50, "ms")
    yield plain("gateway over a model in a sandbox, p50 at 1", gateway.p50 / direct.p50, "×")
    yield plain("failures of both", direct.failures + gateway.failures, "calls")


class _SocketPost:
    """One caller with one connection to a unix socket."""

    def __init__(self, socket_path: str, path: str) -> None:
        self._path = path
        self._connection = _SocketConnection(socket_path)

    def __call__(self, body: object) -> bool:
        """Post `body`; return whether the answer was a success."""
        headers = {"Content-Type": "application/json"}
        self._connection.request("POST", self._path, json.dumps(body).encode(), headers)
        response = self._connection.getresponse()
        response.read()
        return response.status == 200


class _SocketConnection(http.client.HTTPConnection):
    def __init__(self, socket_path: str) -> None:
        super().__init__("sandbox", timeout=60)
        self._socket_path = socket_path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._socket_path)
