"""Pictures of examples: read from annotation, which shows them to anybody, and packed into one archive."""

import shutil
import zipfile
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

import urllib3
from dynabench_common.pools import new_pool, reason_of
from dynabench_common.telemetry.spans import calling

from scoring.domain.errors import PictureMissing, PicturesUnavailable

ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "image/gif": ".gif"}
SECONDS = urllib3.Timeout(connect=5.0, read=30.0)
UNDATED = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can hold: the same pictures make the same bytes."""


class AnnotationPictures:
    """The pictures behind annotation's interface."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url.rstrip("/")
        self._pool = new_pool(maxsize=1)

    def pack(self, image_ids: Iterable[str], path: Path) -> None:
        """Write an archive with a file for each picture, named by its id and kind; one picture is read at a time.

        Pictures are compressed already, so the archive only stores them. Raises PictureMissing, PicturesUnavailable.
        """
        with zipfile.ZipFile(path, "w") as archive:
            for image_id in sorted(image_ids):
                try:
                    self._add(archive, image_id)
                except urllib3.exceptions.HTTPError as err:
                    raise PicturesUnavailable(image_id, reason_of(err)) from err

    def _add(self, archive: zipfile.ZipFile, image_id: str) -> None:
        url = f"{self._base_url}/api/annotation/v1/images/{quote(image_id, safe='')}"
        headers: dict[str, str] = {}
        with calling("GET", url, headers) as answered:
            response = self._pool.request("GET", url, headers=headers, timeout=SECONDS, preload_content=False)
            answered(response.status)
        with response:
            if response.status == HTTPStatus.NOT_FOUND:
                raise PictureMissing(image_id)
            ending = ENDINGS.get(response.headers.get("Content-Type", ""))
            if response.status != HTTPStatus.OK or ending is None:
                raise PicturesUnavailable(image_id, f"status {response.status}")
            info = zipfile.ZipInfo(image_id + ending, UNDATED)
            info.create_system = 3
            with archive.open(info, "w") as file:
                shutil.copyfileobj(response, file)
