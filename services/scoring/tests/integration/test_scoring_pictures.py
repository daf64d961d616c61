"""Pictures of a release: read from annotation over real HTTP, packed, described, and stored in S3."""

import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID

import mlcroissant
import pytest
from dynabench_common.testing import FixedClock
from dynabench_common.work.retried_jobs import MOST_ATTEMPTS, JobRunner
from dynabench_tasks.values import to_text
from flask.testing import FlaskClient
from scoring.adapters.pictures import AnnotationPictures
from scoring.domain.errors import PictureMissing, PicturesUnavailable
from scoring.service_layer.build_release import RELEASES
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine

from services.scoring.tests.conftest import SENTIMENT, Story
from services.scoring.tests.scoring_releases import (
    API,
    Feed,
    Headers,
    NewStory,
    ask,
    fetch,
    lines,
    released,
    state,
)

CAT, DOG, OWL = (str(UUID(int=number)) for number in (1, 2, 3))
KEPT = {CAT: ("image/jpeg", b"a cat" * 50_000), DOG: ("image/png", b"a dog"), OWL: ("image/webp", b"an owl")}
WITH_PICTURES = {
    "context": [{"name": "picture", "type": "image"}],
    "input": [*SENTIMENT["input"], {"name": "drawn", "type": "image", "optional": True}],
}


class AnnotationTwin(ThreadingHTTPServer):
    """Shows the pictures that it has, unless a test says how it fails."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.kept = dict(KEPT)
        self.asked: list[str] = []
        self.fails = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: AnnotationTwin

    def log_message(self, *_args: Any) -> None:
        pass

    def do_GET(self) -> None:
        image_id = self.path.removeprefix("/api/annotation/v1/images/")
        self.server.asked.append(image_id)
        media_type, data = self.server.kept.get(image_id, ("application/problem+json", b"{}"))
        status = 503 if self.server.fails == "busy" else 200 if image_id in self.server.kept else 404
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:-1] if self.server.fails == "cut" else data)
        self.close_connection = True


@pytest.fixture
def twin() -> Iterator[AnnotationTwin]:
    found = AnnotationTwin()
    threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


@pytest.fixture
def builder(worker: WorkerDependencies, twin: AnnotationTwin) -> JobRunner[WorkerDependencies]:
    return JobRunner(RELEASES, replace(worker, pictures=AnnotationPictures(twin.url)))


@pytest.fixture
def story(engine: Engine, new_story: NewStory, feed: Feed) -> Story:
    """A closed round whose contexts show a cat or a dog; one author drew an owl."""
    made = new_story()
    events = made.finished(6, 2, **WITH_PICTURES)
    tries = [event.message for event in events if event.type.endswith("ExampleCreated")]
    for number, message in enumerate(tries):
        given: Any = message
        del given.context["prompt"]
        given.context["picture"] = to_text({"image_id": (CAT, DOG)[number % 2], "alt": "An animal."})
        if number == 0:
            given.input["drawn"] = to_text({"image_id": OWL, "alt": "An owl."})
    feed(engine, events)
    return made


def test_a_release_holds_every_picture_that_its_rows_name(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    story: Story,
    owner: Headers,
    tmp_path: Path,
    twin: AnnotationTwin,
) -> None:
    dataset_id = released(client, builder, story, owner, dev=0, test=0, licence="CC0-1.0")

    archive = fetch(client, dataset_id, "pictures.zip")
    with zipfile.ZipFile(io.BytesIO(archive)) as pictures:
        packed = {name: pictures.read(name) for name in pictures.namelist()}
    assert packed == {f"{CAT}.jpg": KEPT[CAT][1], f"{DOG}.png": KEPT[DOG][1], f"{OWL}.webp": KEPT[OWL][1]}
    assert sorted(twin.asked) == sorted(KEPT), "each picture is read once, however many rows name it"

    rows = lines(fetch(client, dataset_id, "data/train.jsonl.gz"))
    named = {row["context"]["picture"]["image_id"] for row in rows}
    drawn = {row["input"]["drawn"]["image_id"] for row in rows if row["input"]["drawn"]}
    assert named | drawn == {Path(name).stem for name in packed}

    digest = hashlib.sha256(archive).hexdigest()
    files = {file["path"]: file for file in client.get(f"{API}/datasets/{dataset_id}").get_json()["files"]}
    assert (files["pictures.zip"]["sha256"], files["pictures.zip"]["media_type"]) == (
        digest,
        "application/zip",
    )
    assert f"{digest}  pictures.zip" in fetch(client, dataset_id, "SHA256SUMS").decode()
    card = client.get(f"{API}/datasets/{dataset_id}/card").text
    assert "`pictures.zip` holds every picture" in card
    assert "same licence (CC0-1.0)" in card
    croissant = client.get(f"{API}/datasets/{dataset_id}/croissant").get_json()
    [described] = [file for file in croissant["distribution"] if file["name"] == "pictures.zip"]
    assert (described["sha256"], described["encodingFormat"]) == (digest, "application/zip")
    assert not mlcroissant.Dataset(croissant).metadata.ctx.issues.errors


def test_the_same_pictures_make_the_same_archive(tmp_path: Path, twin: AnnotationTwin) -> None:
    pictures = AnnotationPictures(twin.url)
    pictures.pack([OWL, CAT], tmp_path / "one")
    pictures.pack([CAT, OWL], tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_picture_that_is_gone_fails_the_release_and_the_owner_may_ask_again(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    story: Story,
    owner: Headers,
    twin: AnnotationTwin,
) -> None:
    del twin.kept[DOG]
    asked = ask(client, story, owner, dev=0, test=0)
    assert builder.turn()
    failed = state(client, asked, owner)
    assert (failed["state"], failed["error"]["kind"]) == ("failed", "picture-missing")
    assert DOG in failed["error"]["detail"]
    twin.kept[DOG] = KEPT[DOG]
    dataset_id = released(client, builder, story, owner, dev=0, test=0)
    assert fetch(client, dataset_id, "pictures.zip")


@pytest.mark.slow
@pytest.mark.parametrize("fails", ["busy", "cut"])
def test_an_outage_is_waited_out_for_some_tries_then_told(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    story: Story,
    owner: Headers,
    twin: AnnotationTwin,
    clock: FixedClock,
    fails: str,
) -> None:
    twin.fails = fails
    asked = ask(client, story, owner, dev=0, test=0)
    for _ in range(MOST_ATTEMPTS):
        assert state(client, asked, owner)["state"] == "building"
        assert builder.turn()
        clock.move(600)
    failed = state(client, asked, owner)
    assert (failed["state"], failed["error"]["kind"]) == ("failed", "pictures-unavailable")
    assert CAT in failed["error"]["detail"]
    twin.fails = ""
    released(client, builder, story, owner, dev=0, test=0)


@pytest.mark.parametrize(
    ("media_type", "fails", "expected"),
    [
        ("text/html", "", PicturesUnavailable),
        ("image/jpeg", "cut", PicturesUnavailable),
        ("image/jpeg", "gone", PictureMissing),
    ],
)
def test_what_is_no_whole_picture_is_not_packed(
    twin: AnnotationTwin, tmp_path: Path, media_type: str, fails: str, expected: type[Exception]
) -> None:
    twin.kept = {} if fails == "gone" else {CAT: (media_type, b"a page")}
    twin.fails = fails
    with pytest.raises(expected):
        AnnotationPictures(twin.url).pack([CAT], tmp_path / "pictures.zip")


def test_annotation_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(PicturesUnavailable) as caught:
        AnnotationPictures("http://127.0.0.1:9").pack([CAT], tmp_path / "pictures.zip")
    assert caught.value.image_id == CAT
