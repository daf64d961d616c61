"""A picture, shown by the annotation service under the id that it got when it was uploaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from dynabench_tasks.values import Value

from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, register
from web.kit.language import _

ADDRESS = "/api/annotation/v1/images/"


@dataclass(frozen=True, kw_only=True)
class ImageFieldView(FieldView):
    """A picture to name by the id of its upload, with words for those who can't see it."""

    image_id: str
    alt: str


@dataclass(frozen=True, kw_only=True)
class ShownImage(ShownValue):
    """A picture; `text` is its description."""

    address: str


@register("image")
class ImageType:
    """An uploaded picture's id, and its description."""

    def ask(self, field: Field, asking: Asking) -> ImageFieldView:
        """Return the question."""
        return ImageFieldView(
            control=asking.control,
            type=field.type,
            label=field.label,
            is_required=asking.is_required,
            when=asking.when,
            problem=asking.own_problem,
            image_id=asking.first(),
            alt=asking.first(".alt"),
        )

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:  # noqa: ARG002
        """Return id and description."""
        image_id = asking.first().strip()
        return {"image_id": image_id, "alt": asking.first(".alt").strip()} if image_id else None

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:
        """Return the controls that hold id and description."""
        image = value if isinstance(value, Mapping) else {}
        return {control: (str(image.get("image_id", "")),), f"{control}.alt": (str(image.get("alt", "")),)}

    def show(self, field: Field, value: Value) -> ShownImage:
        """Return the picture's address and description."""
        if not isinstance(value, Mapping):
            raise TypeError("no image")
        return ShownImage(
            name=field.name,
            type=field.type,
            label=field.label,
            text=str(value.get("alt") or _("A picture without a description")),
            address=ADDRESS + quote(str(value["image_id"]), safe=""),
        )
