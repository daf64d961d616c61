"""The end of a model: a target that stops answering, then deleted by its submitter."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
import urllib3
from dynabench_client import Dynabench, ProblemError
from dynabench_client.archive_upload import ArchiveFile, ArchiveUpload
from dynabench_client.results.models import WholeSubmission
from dynabench_common.testing import wait_until
from dynabench_local import seaweedfs, torchserve
from dynabench_local.services import PATIENCE

from tests.own_platform import s3_client
from tests.scenarios import TARGET, OwnTask, heard_of

pytestmark = pytest.mark.slow

CHECKS_SECONDS = 120


@pytest.fixture
def impatient(platform: Any) -> Iterator[None]:
    """Let the registry report a target after 1 s; each of its workers restarts for that."""
    supervisor, parts = platform.stack.supervisor, platform.stack.parts
    workers = [parts[name] for name in platform.stack.layout.replicas_of("registry-worker")]

    def run(more: dict[str, str]) -> None:
        for worker in workers:
            supervisor.stop_part(worker.name)
            supervisor.write_plan(replace(worker, environment={**worker.environment, **more}))
        for worker in workers:
            supervisor.start_part(worker.name)

    run({PATIENCE: "1"})
    yield
    run({})


def keys(platform: Any) -> set[str]:
    """Return the models' objects in S3, and the agent's store of fetched archives."""
    held = s3_client(platform).list_objects_v2(Bucket=seaweedfs.BUCKET)
    stored = {path.name for path in platform.stack.layout.model_store.glob("*.mar")}
    return stored | {each["Key"] for each in held["Contents"] if each["Key"].endswith(".mar")}


def published(client: Dynabench, platform: Any, task: str, model: str) -> tuple[str, str]:
    """Send, wait for the checks and publish; return the submission's id and the name that answers."""
    area = client.registry
    file = ArchiveFile.read(platform.stack.layout.model_store / "sentiment-words.mar", lambda _: None)

    def begin() -> WholeSubmission:
        """Begin, or continue."""
        return area.submit(task, model, file.path.name, file.size, digest=file.digest).submission

    wait_until(lambda: heard_of(begin) is not None, 60, "the registry to hear of the task")
    begun = begin()
    ArchiveUpload(area, file).send(begun, lambda _: None)
    wait_until(lambda: not area.submission(begun.submission_id).is_moving, CHECKS_SECONDS, "the checks")
    found = area.submission(begun.submission_id)
    assert found.state == "deployed", found.failed_step
    area.write_card(
        begun.submission_id, text="Counts words.", licence="MIT", contact="ada@example.org", languages=["en"]
    )
    area.publish_model(begun.submission_id)
    return begun.submission_id, str(found.serving_name)


def lose(platform: Any, name: str, served: str) -> bytes:
    """Remove a model's archive and registration, as a broken disk would; return the archive."""
    client, file = s3_client(platform), served.rsplit("/", 1)[-1]
    archive: bytes = client.get_object(Bucket=seaweedfs.BUCKET, Key=served)["Body"].read()
    client.delete_object(Bucket=seaweedfs.BUCKET, Key=served)
    (platform.stack.layout.model_store / file).unlink()
    layout = platform.stack.layout
    key = json.loads(torchserve.key_file(layout).read_text())["management"]["key"]
    address = f"{layout.url('torchserve_management')}/models/{name}"
    urllib3.request("DELETE", address, headers={"Authorization": f"Bearer {key}"})
    return archive


def test_a_target_that_is_lost_leaves_its_round_and_is_deleted_for_good(
    platform: Any, new_task: Callable[..., OwnTask], new_annotator: Callable[[], Dynabench], impatient: None
) -> None:
    task, client, other = new_task(), new_annotator(), new_annotator()
    owner = task.owner.client
    before = keys(platform)
    submission_id, name = published(client, platform, task.slug, f"words-{uuid4().hex[:6]}")
    new = keys(platform) - before
    served = next(key for key in new if key.startswith("served/"))
    replicas = len(platform.stack.layout.replicas_of("gateway-http"))

    def answers_everywhere() -> bool:
        """Return whether every replica of the gateway knows the model: they are called in turn."""
        return all(
            heard_of(lambda: other.gateway.predict(name, [{"text": "a"}])) for _ in range(2 * replicas)
        )

    wait_until(answers_everywhere, what="every gateway to know the model")
    round_id = task.open_round([TARGET, name])
    wait_until(lambda: client.registry.submission(submission_id).in_the_loop, what="the registry to hear")

    archive = lose(platform, name, served)
    wait_until(lambda: owner.annotation.lost_targets(round_id).items, 60, "the target to leave the round")
    [lost] = owner.annotation.lost_targets(round_id).items
    assert lost.target == name
    assert list(owner.annotation.round(round_id).targets) == [TARGET]
    wait_until(
        lambda: any(each.kind == "target_lost" for each in owner.accounts.notices().items),
        what="the owner's notice",
    )

    s3_client(platform).put_object(Bucket=seaweedfs.BUCKET, Key=served, Body=archive)
    wait_until(lambda: not client.registry.submission(submission_id).in_the_loop, what="the loop to end")
    client.registry.delete_submission(submission_id)
    wait_until(lambda: not keys(platform) & new, 30, "its bytes to be gone")
    tombstone = other.registry.published_model(name)
    assert tombstone.tombstone is not None
    assert tombstone.tombstone.deleted_as == "submitter"
    page = urllib3.request("GET", f"{platform.url}/models/{name}")
    assert "deleted" in page.data.decode()
    with pytest.raises(ProblemError):
        other.gateway.predict(name, [{"text": "a"}])
