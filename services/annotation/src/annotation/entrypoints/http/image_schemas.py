"""Bodies, paths and answers of the routes about images."""

from uuid import UUID

from dynabench_common.schemas import Input
from dynabench_tasks.strict_json import LARGEST
from pydantic import BaseModel, Field

from annotation.domain.image import MEDIA_TYPES, MOST_BYTES
from annotation.entrypoints.http.schemas import ResponseBody


class ImagePath(BaseModel):
    """An image in an address."""

    image_id: UUID


class ImageBody(Input):
    """The file that is about to be sent."""

    media_type: str = Field(max_length=100, description="One of " + ", ".join(MEDIA_TYPES))
    bytes: int = Field(ge=0, le=LARGEST, description=f"Size of the file, at most {MOST_BYTES:,}")


class UploadAnswer(ResponseBody):
    """Where to send the bytes; exactly the announced file is taken there, for a short while."""

    url: str
    method: str
    headers: dict[str, str]


class StartedImageAnswer(ResponseBody):
    """An image that waits for its bytes."""

    image_id: UUID
    upload: UploadAnswer


class ImageAnswer(ResponseBody):
    """A completed image; `media_type` is that of the kept picture, which shows the first frame of a GIF as PNG."""

    image_id: UUID
    width: int
    height: int
    media_type: str
