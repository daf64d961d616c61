"""A task about pictures, through the SDK: upload, context, a round without targets, an example, its judgement."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from uuid import uuid4
from zipfile import ZipFile

import pytest
import urllib3
from dynabench_client import Dynabench, ProblemError
from dynabench_client.results.datasets import Release
from dynabench_common.testing import wait_until
from PIL import ExifTags, Image

from tests.scenarios import answer, lease

pytestmark = pytest.mark.slow

CONFIGURATION = (Path(__file__).parents[2] / "examples" / "visual-questions.yaml").read_text()
QUESTION, ANSWER = "What is brighter, the top or the bottom?", "the bottom"


def photo() -> bytes:
    """A picture with a gradient from black to white, and a place in its metadata."""
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = "N"
    written = BytesIO()
    Image.linear_gradient("L").convert("RGB").save(written, "JPEG", exif=exif)
    return written.getvalue()


def released_pictures(admin: Dynabench, round_id: str) -> list[str]:
    """Release a round, and return the names of the pictures in the release."""
    admin.annotation.set_round_state(round_id, "closed")

    def closed() -> Release | None:
        try:
            return admin.datasets.release(round_id, dev=0, test=0, licence="CC0-1.0")
        except ProblemError as err:
            assert err.slug in ("round-not-closed", "unresolved-examples"), err
            return None

    asked: Release = wait_until(closed, what="scoring to know the votes and the end of the round")
    wait_until(lambda: admin.datasets.release_state(asked.release_id).is_finished, what="the release")
    dataset_id = admin.datasets.release_state(asked.release_id).dataset_id
    assert dataset_id is not None
    content = b"".join(admin.datasets.file(dataset_id, "pictures.zip"))
    return ZipFile(BytesIO(content)).namelist()


@pytest.fixture
def slug(admin: Dynabench) -> str:
    """A task of this test's own."""
    slug = f"visual-{uuid4().hex[:10]}"
    admin.annotation.create_task(
        CONFIGURATION.replace("slug: visual-questions\n", f"slug: {slug}\n").replace(
            "reading_speed: 100", "reading_speed: 0"
        )
    )
    return slug


@pytest.fixture
def image_id(admin: Dynabench, slug: str) -> str:
    """An image that was sent to the object store as a browser sends it, and checked."""
    started = admin.annotation.start_image(slug, "image/jpeg", len(photo()))
    upload = started.upload
    sent = urllib3.PoolManager().request(upload.method, upload.url, body=photo(), headers=upload.headers)
    assert sent.status == 200, sent.data
    completed = admin.annotation.complete_image(started.image_id)
    assert (completed.width, completed.height, completed.media_type) == (256, 256, "image/jpeg")
    return completed.image_id


@pytest.fixture
def round_id(admin: Dynabench, slug: str, image_id: str) -> str:
    """An open round without targets, with one picture to start from."""
    made = admin.annotation.create_round(slug, [], "Pictures")
    picture = {"image_id": image_id, "alt": "Black at the top, white at the bottom."}
    admin.annotation.add_contexts(made.round_id, [{"fields": {"picture": picture}, "tags": []}])
    admin.annotation.set_round_state(made.round_id, "open")
    return made.round_id


def test_a_question_about_a_picture_is_asked_and_judged(
    new_annotator: Callable[[], Dynabench], admin: Dynabench, round_id: str, image_id: str
) -> None:
    author, *validators = (new_annotator() for _ in range(3))
    context = author.annotation.assign(round_id).context
    assert context.fields["picture"]["image_id"] == image_id
    shown = author.annotation.image(image_id)
    assert shown.media_type == "image/jpeg"
    with Image.open(BytesIO(shown.content)) as picture:
        assert picture.size == (256, 256)
        assert not picture.getexif()
    values = {"question": QUESTION, "answer": ANSWER}
    example = author.annotation.create_example(round_id, context.context_id, values)
    assert (example.verdict, example.claimed, example.answers) == ("undecided", ANSWER, ())
    for validator in validators:
        held = lease(validator, round_id)
        assert held.answer_type == "judgement"
        assert held.example is not None
        assert held.example.context["picture"]["image_id"] == image_id
        assert held.example.claim_to_judge == ANSWER
        answer(validator, held, "correct")
    assert admin.validation.resolution(example.example_id).resolution == "correct"
    assert released_pictures(admin, round_id) == [f"{image_id}.jpg"]
