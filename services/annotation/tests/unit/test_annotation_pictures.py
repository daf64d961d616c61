"""Checks of uploaded pictures: accepted formats, refused files, and the pixels that are stored."""

import random
import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import pytest
from annotation.adapters.picture_cleaner import clean_picture
from annotation.domain.image import MEDIA_TYPES, MOST_BYTES, MOST_PIXELS, check_announcement
from dynabench_tasks.fields import InputRefused
from PIL import ExifTags, Image, ImageCms, PngImagePlugin

SECRET = b"<script>alert('Elm Street 7')</script>"
LEFT, RIGHT = (220, 30, 30), (30, 30, 220)
SVG = b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
HTML = b"<!doctype html><html><script>alert(1)</script></html>"


def picture(mode: str = "RGB") -> Image.Image:
    """Wide, its left half reddish and its right half bluish."""
    image = Image.new("RGB", (48, 32), LEFT)
    image.paste(RIGHT, (24, 0, 48, 32))
    return image.convert(mode)


def encoded(image: Image.Image, encoding: str, **options: Any) -> bytes:
    written = BytesIO()
    image.save(written, encoding, **options)
    return written.getvalue()


def camera_data(orientation: int = 1) -> Image.Exif:
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = SECRET.decode()
    exif[ExifTags.Base.Orientation] = orientation
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = "N"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (52.0, 31.0, 12.0)
    return exif


def profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def png_of(width: int, height: int) -> bytes:
    """A PNG that claims a size and has no pixels for it."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 100)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def text_of(comment: bytes) -> PngImagePlugin.PngInfo:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", comment.decode())
    return texts


TELLING: Mapping[str, tuple[str, bytes]] = {
    "image/jpeg": (
        "image/jpeg",
        encoded(picture(), "JPEG", exif=camera_data(), icc_profile=profile(), comment=SECRET, xmp=SECRET),
    ),
    "image/png": (
        "image/png",
        encoded(picture(), "PNG", exif=camera_data(), icc_profile=profile(), pnginfo=text_of(SECRET)),
    ),
    "image/webp": (
        "image/webp",
        encoded(picture(), "WEBP", exif=camera_data(), icc_profile=profile(), xmp=SECRET),
    ),
    "image/gif": ("image/png", encoded(picture("P"), "GIF", comment=SECRET)),
}


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_only_pixels_are_kept(media_type: str) -> None:
    kept_type, data = TELLING[media_type]
    data += SECRET
    assert SECRET in data
    clean = clean_picture(data, media_type)
    assert (clean.media_type, clean.width, clean.height) == (kept_type, 48, 32)
    assert b"script" not in clean.data
    with Image.open(BytesIO(clean.data)) as kept:
        assert Image.MIME[kept.format or ""] == kept_type
        assert not kept.getexif()
        assert not kept.getexif().get_ifd(ExifTags.IFD.GPSInfo)
        assert not {"exif", "icc_profile", "comment", "Comment", "xmp"} & set(kept.info)
        red, _, blue = kept.convert("RGB").getpixel((4, 4))  # type: ignore[misc]
        assert red > blue


def test_the_place_was_there_before() -> None:
    with Image.open(BytesIO(TELLING["image/jpeg"][1])) as sent:
        assert sent.getexif().get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] == "N"


def test_a_picture_taken_sideways_is_kept_upright() -> None:
    data = encoded(picture(), "JPEG", exif=camera_data(orientation=6))
    clean = clean_picture(data, "image/jpeg")
    assert (clean.width, clean.height) == (32, 48)
    with Image.open(BytesIO(clean.data)) as kept:
        top, bottom = kept.getpixel((16, 4)), kept.getpixel((16, 44))
    assert top[0] > top[2] and bottom[2] > bottom[0]  # type: ignore[index]


def two_frames() -> bytes:
    return encoded(picture("P"), "GIF", save_all=True, append_images=[Image.new("P", (48, 32))])


def half_clear() -> Image.Image:
    image = picture("RGBA")
    image.putalpha(Image.linear_gradient("L").resize((48, 32)))
    return image


@pytest.mark.parametrize(
    ("data", "media_type", "mode"),
    [
        pytest.param(two_frames(), "image/gif", "RGB", id="of a GIF that moves, its first frame"),
        pytest.param(
            encoded(picture(), "MPO", save_all=True, append_images=[picture()]),
            "image/jpeg",
            "RGB",
            id="of a JPEG with several pictures, the first",
        ),
        pytest.param(encoded(picture("CMYK"), "JPEG"), "image/jpeg", "RGB", id="print colours"),
        pytest.param(encoded(picture("L"), "PNG"), "image/png", "RGB", id="shades of grey"),
        pytest.param(encoded(picture("1"), "PNG"), "image/png", "RGB", id="black and white"),
        pytest.param(encoded(half_clear(), "PNG", icc_profile=profile()), "image/png", "RGBA", id="clear"),
        pytest.param(encoded(half_clear(), "WEBP"), "image/webp", "RGBA", id="a clear WebP"),
        pytest.param(
            encoded(picture(), "JPEG", icc_profile=b"no profile at all"),
            "image/jpeg",
            "RGB",
            id="a broken colour profile",
        ),
    ],
)
def test_unusual_pictures_are_taken(data: bytes, media_type: str, mode: str) -> None:
    clean = clean_picture(data, media_type)
    with Image.open(BytesIO(clean.data)) as kept:
        assert (kept.size, kept.mode) == ((48, 32), mode)
        assert getattr(kept, "n_frames", 1) == 1


def test_sixteen_bits_become_eight() -> None:
    data = encoded(Image.new("I;16", (4, 4), 0x8000), "PNG")
    clean = clean_picture(data, "image/png")
    with Image.open(BytesIO(clean.data)) as kept:
        assert kept.getpixel((0, 0)) == (128, 128, 128)


@pytest.mark.parametrize(
    ("data", "media_type", "field", "reason"),
    [
        pytest.param(b"hello", "image/png", "image", "is not an image", id="any text"),
        pytest.param(SVG, "image/png", "image", "is not an image", id="SVG is a program"),
        pytest.param(HTML, "image/gif", "image", "is not an image", id="a page"),
        pytest.param(b"GIF89a/*" + HTML, "image/gif", "image", "is", id="a page that begins like a GIF"),
        pytest.param(b"%PDF-1.7 ...", "image/jpeg", "image", "is not an image", id="a document"),
        pytest.param(encoded(picture(), "BMP"), "image/png", "image", "is not an image", id="another format"),
        pytest.param(encoded(picture(), "TIFF"), "image/jpeg", "image", "is not an image", id="TIFF"),
        pytest.param(
            encoded(picture(), "PNG"), "image/jpeg", "media_type", "the file is image/png", id="another type"
        ),
        pytest.param(png_of(50_000, 50_000), "image/png", "image", "too many pixels", id="a bomb"),
        pytest.param(
            png_of(MOST_PIXELS // 1000 + 1, 1000), "image/png", "image", "too many pixels", id="one row more"
        ),
        pytest.param(png_of(400, 400), "image/png", "image", "is damaged", id="no pixels behind the header"),
        pytest.param(encoded(picture(), "JPEG")[:-80], "image/jpeg", "image", "is damaged", id="a cut JPEG"),
        pytest.param(encoded(picture(), "PNG")[:-40], "image/png", "image", "is damaged", id="a cut PNG"),
        pytest.param(encoded(picture("P"), "GIF")[:-60], "image/gif", "image", "is damaged", id="a cut GIF"),
        pytest.param(encoded(picture(), "WEBP")[:-30], "image/webp", "image", "is", id="a cut WebP"),
    ],
)
def test_other_files_are_refused(data: bytes, media_type: str, field: str, reason: str) -> None:
    with pytest.raises(InputRefused) as refused:
        clean_picture(data, media_type)
    assert refused.value.field == field
    assert reason in refused.value.reason
    assert refused.value.remedy


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_damage_anywhere_is_refused_or_harmless(media_type: str) -> None:
    """Bytes changed at random never make anything but a refusal or a picture."""
    chance = random.Random(4)
    sound = TELLING[media_type][1]
    for _ in range(150):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 12)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            clean = clean_picture(bytes(data), media_type)
        except InputRefused as refused:
            assert refused.remedy
        else:
            assert clean.width * clean.height <= MOST_PIXELS


@pytest.mark.parametrize(
    ("media_type", "size", "field"),
    [
        pytest.param("image/svg+xml", 100, "media_type", id="SVG is a program"),
        pytest.param("text/html", 100, "media_type", id="no image"),
        pytest.param("image/png", MOST_BYTES + 1, "bytes", id="a byte too many"),
        pytest.param("image/png", 0, "bytes", id="no bytes"),
        pytest.param("image/png", -5, "bytes", id="less than none"),
    ],
)
def test_announcements_are_refused(media_type: str, size: int, field: str) -> None:
    with pytest.raises(InputRefused) as refused:
        check_announcement(media_type, size)
    assert refused.value.field == field
    assert refused.value.remedy


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_announcements_are_taken(media_type: str) -> None:
    check_announcement(media_type, MOST_BYTES)
