"""Images on real PostgreSQL and S3: only whole, checked pictures are shown and can be used."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import urllib3
from annotation.adapters.object_store import S3ObjectStore
from annotation.domain.image import INCOMING, UPLOAD_SECONDS
from annotation.entrypoints.http.app import create_app
from annotation.service_layer.images import discard_abandoned
from annotation.settings import AnnotationSettings
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.object_store import ObjectMissing
from dynabench_common.testing import FixedClock
from PIL import ExifTags, Image
from werkzeug.test import TestResponse

from .conftest import Platform

VISUAL = (Path(__file__).parents[4] / "examples" / "visual-questions.yaml").read_text()
DRAW = """  - name: picture_of_yours
    type: image
    label: Your picture
"""
OWNER = UUID("0195c1f0-0000-7000-8000-00000000000a")
POOL = urllib3.PoolManager(retries=False, timeout=urllib3.Timeout(total=20))


def photo(encoding: str = "JPEG", width: int = 64) -> bytes:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = "N"
    written = BytesIO()
    Image.linear_gradient("L").resize((width, 48)).convert("RGB").save(written, encoding, exif=exif)
    return written.getvalue()


class Gallery:
    """Hands of people who upload to a task."""

    def __init__(self, platform: Platform, slug: str, person: UUID = OWNER) -> None:
        self.platform = platform
        self.slug = slug
        self.person = person

    def call(self, method: str, path: str, body: object | None = None) -> TestResponse:
        roles = [f"owner:{self.slug}", "annotator"] if self.person == OWNER else ["annotator"]
        response: TestResponse = self.platform.call(method, path, body, person=self.person, roles=roles)
        return response

    def announce(self, size: int, media_type: str = "image/jpeg") -> TestResponse:
        return self.call("POST", f"/tasks/{self.slug}/images", {"media_type": media_type, "bytes": size})

    def send(self, data: bytes, media_type: str = "image/jpeg") -> str:
        """Return the id of an image whose bytes were sent and not checked yet."""
        answer: Any = self.announce(len(data), media_type).get_json()
        upload = answer["upload"]
        sent = POOL.request(upload["method"], upload["url"], body=data, headers=upload["headers"])
        assert sent.status == 200, sent.data
        image_id: str = answer["image_id"]
        return image_id

    def complete(self, image_id: str) -> TestResponse:
        return self.call("POST", f"/images/{image_id}/completion")

    def keep(self, data: bytes | None = None) -> str:
        image_id = self.send(data or photo())
        response = self.complete(image_id)
        assert response.status_code == 200, response.get_data(as_text=True)
        return image_id

    def round_with(self, image_id: str) -> TestResponse:
        """Draft a round and add a context that shows the image."""
        round_id = self.call("POST", f"/tasks/{self.slug}/rounds", {"targets": []}).get_json()["round_id"]
        body = {"contexts": [{"fields": {"picture": {"image_id": image_id, "alt": "A barn."}}}]}
        return self.call("POST", f"/rounds/{round_id}/contexts", body)


@pytest.fixture
def new_gallery(platform: Platform) -> Callable[[str], Gallery]:
    def make(configuration: str = VISUAL) -> Gallery:
        slug = f"visual-{uuid4().hex[:10]}"
        gallery = Gallery(platform, slug)
        own = configuration.replace("slug: visual-questions\n", f"slug: {slug}\n")
        assert gallery.call("POST", "/tasks", {"configuration": own}).status_code == 201
        return gallery

    return make


@pytest.fixture
def gallery(new_gallery: Callable[[str], Gallery]) -> Gallery:
    """A task whose contexts show pictures."""
    return new_gallery(VISUAL)


@pytest.fixture
def drawing_gallery(new_gallery: Callable[[str], Gallery]) -> Gallery:
    """A task whose annotators upload a picture with each try."""
    return new_gallery(VISUAL.replace("input:\n", "input:\n" + DRAW))


def problem(response: TestResponse) -> tuple[int, str, str]:
    """Return status, field and detail of a refusal, which must name its remedy."""
    document: Any = response.get_json()
    assert document["remedy"]
    return response.status_code, document["field"], document["detail"]


def test_an_image_is_sent_checked_and_shown(gallery: Gallery) -> None:
    image_id = gallery.send(photo())
    assert gallery.platform.call("GET", f"/images/{image_id}").status_code == 404
    completed = gallery.complete(image_id)
    assert completed.get_json() == {
        "image_id": image_id,
        "width": 64,
        "height": 48,
        "media_type": "image/jpeg",
    }
    shown = gallery.platform.call("GET", f"/images/{image_id}")
    assert shown.status_code == 200
    assert shown.headers["Content-Type"] == "image/jpeg"
    assert shown.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in shown.headers["Content-Security-Policy"]
    assert int(shown.headers["Content-Length"]) == len(shown.data)
    with Image.open(BytesIO(photo())) as sent, Image.open(BytesIO(shown.data)) as kept:
        assert sent.getexif().get_ifd(ExifTags.IFD.GPSInfo)
        assert not kept.getexif()
        assert kept.size == (64, 48)


def test_a_picture_that_a_browser_has_is_not_sent_again(gallery: Gallery) -> None:
    image_id = gallery.keep()
    etag = gallery.platform.call("GET", f"/images/{image_id}").headers["ETag"]
    again = gallery.platform.call("GET", f"/images/{image_id}", headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_completing_again_changes_nothing(gallery: Gallery) -> None:
    image_id = gallery.send(photo())
    first, second = gallery.complete(image_id), gallery.complete(image_id)
    assert first.get_json() == second.get_json()
    assert second.status_code == 200


def test_completed_at_once_it_is_completed_once(gallery: Gallery) -> None:
    image_id = gallery.send(photo())
    responses = gallery.platform.at_once(*[lambda: gallery.complete(image_id)] * 4)
    assert [response.status_code for response in responses] == [200] * 4
    assert len({response.get_data() for response in responses}) == 1


def test_what_was_sent_lies_nowhere_after_its_completion(gallery: Gallery, objects: S3ObjectStore) -> None:
    image_id = gallery.keep()
    with pytest.raises(ObjectMissing):
        objects.read(f"{INCOMING}{image_id}", 10)


def test_equal_pictures_are_kept_once(gallery: Gallery) -> None:
    first, second = gallery.keep(), gallery.keep()
    etags = {gallery.platform.call("GET", f"/images/{each}").headers["ETag"] for each in (first, second)}
    assert first != second
    assert len(etags) == 1


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        pytest.param(photo() + b"x", "image/jpeg", id="a byte more"),
        pytest.param(photo()[:-1], "image/jpeg", id="a byte less"),
        pytest.param(photo(), "text/html", id="another type"),
    ],
)
def test_the_address_takes_only_the_announced_file(gallery: Gallery, data: bytes, media_type: str) -> None:
    upload: Any = gallery.announce(len(photo())).get_json()["upload"]
    sent = POOL.request("PUT", upload["url"], body=data, headers={"Content-Type": media_type})
    assert sent.status == 403


def test_the_address_is_good_for_writing_only_and_not_for_long(gallery: Gallery) -> None:
    upload: Any = gallery.announce(len(photo())).get_json()["upload"]
    assert f"X-Amz-Expires={UPLOAD_SECONDS}&" in upload["url"]
    assert POOL.request("PUT", upload["url"], body=photo(), headers=upload["headers"]).status == 200
    assert POOL.request("GET", upload["url"]).status == 403
    assert POOL.request("GET", upload["url"].split("?")[0]).status == 403


@pytest.mark.parametrize(
    ("data", "media_type", "field", "reason"),
    [
        pytest.param(b"<svg onload='alert(1)'/>", "image/png", "image", "is not an image", id="not an image"),
        pytest.param(photo("PNG"), "image/jpeg", "media_type", "the file is image/png", id="another type"),
        pytest.param(photo()[:-300], "image/jpeg", "image", "is damaged or cut short", id="cut short"),
    ],
)
def test_other_files_are_refused_and_removed(
    gallery: Gallery, objects: S3ObjectStore, data: bytes, media_type: str, field: str, reason: str
) -> None:
    image_id = gallery.send(data, media_type)
    status, named, detail = problem(gallery.complete(image_id))
    assert (status, named) == (422, field)
    assert reason in detail
    assert gallery.platform.call("GET", f"/images/{image_id}").status_code == 404
    with pytest.raises(ObjectMissing):
        objects.read(f"{INCOMING}{image_id}", 10)


def test_the_stored_size_is_looked_at_again(gallery: Gallery, objects: S3ObjectStore) -> None:
    image_id = gallery.announce(len(photo())).get_json()["image_id"]
    objects.write(f"{INCOMING}{image_id}", photo() + b"more", "image/jpeg")
    status, field, detail = problem(gallery.complete(image_id))
    assert (status, field) == (422, "image")
    assert "as announced" in detail


def test_nothing_sent_is_refused_and_can_be_sent_then(gallery: Gallery) -> None:
    answer: Any = gallery.announce(len(photo())).get_json()
    assert problem(gallery.complete(answer["image_id"]))[:2] == (422, "image_id")
    upload = answer["upload"]
    assert POOL.request("PUT", upload["url"], body=photo(), headers=upload["headers"]).status == 200
    assert gallery.complete(answer["image_id"]).status_code == 200


@pytest.mark.parametrize(
    ("media_type", "size", "field"),
    [
        pytest.param("image/svg+xml", 100, "media_type", id="a program"),
        pytest.param("image/png", 10_000_001, "bytes", id="too large"),
    ],
)
def test_announcements_are_refused(gallery: Gallery, media_type: str, size: int, field: str) -> None:
    assert problem(gallery.announce(size, media_type))[:2] == (422, field)


def test_who_may_add_images(gallery: Gallery, drawing_gallery: Gallery) -> None:
    for place, allowed in ((gallery, 403), (drawing_gallery, 201)):
        annotator = Gallery(place.platform, place.slug, uuid4())
        assert annotator.announce(100).status_code == allowed
    body = {"media_type": "image/png", "bytes": 100}
    assert gallery.platform.call("POST", f"/tasks/{gallery.slug}/images", body).status_code == 401


def test_a_task_without_images_takes_none(platform: Platform) -> None:
    body = {"media_type": "image/png", "bytes": 100}
    roles = [f"owner:{platform.slug}"]
    response = platform.call("POST", f"/tasks/{platform.slug}/images", body, person=OWNER, roles=roles)
    assert problem(response)[:2] == (422, "slug")


def test_only_its_uploader_completes_an_image(drawing_gallery: Gallery) -> None:
    image_id = drawing_gallery.send(photo())
    stranger = Gallery(drawing_gallery.platform, drawing_gallery.slug, uuid4())
    assert stranger.complete(image_id).status_code == 404
    assert drawing_gallery.complete(image_id).status_code == 200


def test_contexts_show_completed_images_only(gallery: Gallery) -> None:
    place = "contexts[0].fields.picture.image_id"
    incomplete = gallery.send(photo())
    assert problem(gallery.round_with(incomplete))[:2] == (422, place)
    assert problem(gallery.round_with(str(uuid4())))[:2] == (422, place)
    gallery.complete(incomplete)
    assert gallery.round_with(incomplete).status_code == 201


def test_a_file_of_contexts_names_each_line_without_its_image(gallery: Gallery) -> None:
    round_id = gallery.call("POST", f"/tasks/{gallery.slug}/rounds", {"targets": []}).get_json()["round_id"]
    line = '{"fields": {"picture": {"image_id": "%s", "alt": "A barn."}}}\n'
    lines = line % gallery.keep() + line % uuid4() + line % uuid4()
    response = gallery.platform.call(
        "POST",
        f"/rounds/{round_id}/contexts/upload",
        person=OWNER,
        roles=[f"owner:{gallery.slug}"],
        data=lines.encode(),
        headers={"Content-Type": "application/x-ndjson"},
    )
    document = response.get_json()
    assert (response.status_code, document["error_count"]) == (422, 2)
    assert [(error["line"], error["field"]) for error in document["errors"]] == [
        (2, "fields.picture.image_id"),
        (3, "fields.picture.image_id"),
    ]


def test_a_try_names_completed_images_only(drawing_gallery: Gallery) -> None:
    gallery, person = drawing_gallery, uuid4()
    annotator = Gallery(gallery.platform, gallery.slug, person)
    gallery.round_with(gallery.keep())
    rounds: Any = gallery.call("GET", f"/tasks/{gallery.slug}/rounds").get_json()
    round_id = rounds["items"][0]["round_id"]
    gallery.call("PUT", f"/rounds/{round_id}/state", {"state": "open"})
    context_id = gallery.platform.assign(round_id, person)["context"]["context_id"]

    def submit(image_id: str) -> TestResponse:
        words = {"question": "How many?", "answer": "Two"}
        values = {**words, "picture_of_yours": {"image_id": image_id, "alt": "Two cows."}}
        body = {"context_id": context_id, "input": values}
        return annotator.call("POST", f"/rounds/{round_id}/examples", body)

    incomplete = annotator.send(photo())
    assert problem(submit(incomplete))[:2] == (422, "input.picture_of_yours.image_id")
    annotator.complete(incomplete)
    assert submit(incomplete).status_code == 201


def test_uploads_that_nobody_completed_go_after_a_day(gallery: Gallery, objects: S3ObjectStore) -> None:
    app = gallery.platform.dependencies
    kept, left = gallery.keep(), gallery.send(photo(width=80))
    times = (datetime.now(UTC), gallery.platform.clock.now())
    discard_abandoned(replace(app, clock=FixedClock(min(times))))
    assert objects.read(f"{INCOMING}{left}", 10)
    assert gallery.complete(left).status_code == 200
    later = gallery.send(photo(width=80))
    discard_abandoned(replace(app, clock=FixedClock(max(times) + timedelta(days=2))))
    with pytest.raises(ObjectMissing):
        objects.read(f"{INCOMING}{later}", 10)
    assert gallery.complete(later).status_code == 404
    assert gallery.platform.call("GET", f"/images/{kept}").status_code == 200


def test_an_outage_of_the_store_is_told_and_loses_nothing(
    gallery: Gallery, annotation_settings: AnnotationSettings
) -> None:
    away = annotation_settings.model_copy(update={"s3_endpoint_url": "http://127.0.0.1:1"})
    image_id = gallery.send(photo())
    platform = gallery.platform
    without_store = replace(platform.dependencies, objects=S3ObjectStore(away))
    headers = platform.issuer.headers(OWNER, [f"owner:{gallery.slug}"])
    path = f"/api/annotation/v1/images/{image_id}/completion"
    response = checked_against_contract(create_app(without_store)).test_client().post(path, headers=headers)
    assert (response.status_code, response.get_json()["type"]) == (503, "/problems/images-unavailable")
    assert response.headers["Retry-After"]
    assert gallery.complete(image_id).status_code == 200
