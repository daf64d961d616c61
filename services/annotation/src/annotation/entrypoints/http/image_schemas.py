"""Bodies and paths of the routes about images."""

from uuid import UUID

from dynabench_common.http.schemas import Input
from dynabench_tasks.strict_json import LARGEST
from pydantic import BaseModel, Field

from annotation.domain.image import MEDIA_TYPES, MOST_BYTES


class ImagePath(BaseModel):
    """An image in an address."""

    image_id: UUID


class ImageBody(Input):
    """The file to be sent."""

    media_type: str = Field(max_length=100, description="One of " + ", ".join(MEDIA_TYPES))
    bytes: int = Field(ge=0, le=LARGEST, description=f"Size of the file, at most {MOST_BYTES:,}")
