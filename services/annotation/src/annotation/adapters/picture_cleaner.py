"""Pictures through Pillow: untrusted bytes are recognised by content, never by name, and drawn anew.

Only the decoders of the four formats may read them, a few at a time. A picture in memory has four bytes for each pixel,
whatever its file's size. Pixels are counted from the header, before any is decoded.
"""

from collections.abc import Mapping
from io import BytesIO
from threading import BoundedSemaphore
from typing import Any

from dynabench_tasks.fields import InputRefused
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from annotation.domain.image import MOST_PIXELS, CleanPicture

TURN = BoundedSemaphore(2)
DECODERS = ("JPEG", "PNG", "WEBP", "GIF")
# MPO is how several cameras write a JPEG that holds more than one picture; the first is the one people see.
MEDIA_TYPES: Mapping[str, str] = {
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
    "GIF": "image/gif",
}
ENCODINGS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "image/jpeg": ("JPEG", {"quality": 92}),
    "image/png": ("PNG", {}),
    "image/webp": ("WEBP", {"quality": 92}),
}
STILL: Mapping[str, str] = {"image/gif": "image/png"}
SRGB = ImageCms.createProfile("sRGB")


def clean_picture(data: bytes, media_type: str) -> CleanPicture:
    """Return the picture drawn anew from its pixels, if it is one of the announced type. Raises InputRefused."""
    with TURN:
        try:
            return _clean(data, media_type)
        except InputRefused:
            raise
        except UnidentifiedImageError as err:
            remedy = "Save the image as JPEG, PNG, WebP or GIF."
            raise InputRefused("image", "is not an image of a type that is taken", remedy) from err
        except Image.DecompressionBombError as err:
            raise _too_many_pixels() from err
        except Exception as err:
            # Decoders raise unrelated errors for hostile bytes; all of them are the file's fault.
            remedy = "Save the image anew, and upload that file."
            raise InputRefused("image", "is damaged or cut short", remedy) from err


def _clean(data: bytes, media_type: str) -> CleanPicture:
    with Image.open(BytesIO(data), formats=DECODERS) as opened:
        found = MEDIA_TYPES[opened.format or ""]
        if opened.width * opened.height > MOST_PIXELS:
            raise _too_many_pixels()
        if found != media_type:
            raise InputRefused(
                "media_type", f"is {media_type}, and the file is {found}", f"Announce {found}."
            )
        opened.verify()
    with Image.open(BytesIO(data), formats=DECODERS) as picture:
        picture.load()
        pixels = _in_srgb(ImageOps.exif_transpose(picture))
    pixels.info.clear()
    written = BytesIO()
    kept_type = STILL.get(found, found)
    encoding, options = ENCODINGS[kept_type]
    pixels.save(written, encoding, **options)
    return CleanPicture(written.getvalue(), kept_type, pixels.width, pixels.height)


def _in_srgb(picture: Image.Image) -> Image.Image:
    """Return the pixels in eight bits a channel, in sRGB, the default for pictures without a profile."""
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    if picture.mode.startswith("I"):
        return picture.point(lambda value: value / 256).convert(mode)
    profile = picture.info.get("icc_profile")
    if profile and picture.mode in {"RGB", "RGBA", "CMYK"}:
        try:
            own = ImageCms.ImageCmsProfile(BytesIO(profile))
            turned = ImageCms.profileToProfile(picture, own, SRGB, outputMode=mode)
        except (ImageCms.PyCMSError, OSError, ValueError):
            turned = None
        if turned is not None:
            return turned
    return picture.convert(mode)


def _too_many_pixels() -> InputRefused:
    remedy = f"Scale it down to at most {MOST_PIXELS:,}."
    return InputRefused("image", "has too many pixels", remedy)
