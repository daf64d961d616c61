"""A picture, by the id of its upload."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_tasks.fields import FIELD_TYPES, Field, InputRefused, Texts
from dynabench_tasks.text import validate_text

LONGEST_ALT = 500
KEYS = {"image_id", "alt"}


@FIELD_TYPES.register("image")
@dataclass(frozen=True)
class ImageField(Field):
    """An uploaded picture with words for those who can't see it."""

    type_name = "image"
    can_start = True
    can_be_asked = False
    holds_free_text = True

    def check(self, value: object, texts: Texts, path: str) -> dict[str, str]:
        """Return id and alternative text. Raises InputRefused."""
        if not isinstance(value, dict) or set(value) != KEYS:
            raise InputRefused(path, "is not an image", "Send an object with image_id and alt.")
        try:
            image_id = str(UUID(str(value["image_id"])))
        except ValueError as err:
            raise InputRefused(
                f"{path}.image_id", "is not the id of an image", "Upload the image first."
            ) from err
        alt = value["alt"]
        if not isinstance(alt, str):
            raise InputRefused(f"{path}.alt", "is not text", "Say in words what the image shows.")
        flaw = validate_text(alt, LONGEST_ALT)
        if flaw is not None:
            raise InputRefused(f"{path}.alt", flaw.reason, "Say in words what the image shows.")
        return {"image_id": image_id, "alt": alt}

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a value."""
        alt = {"type": "string", "minLength": 1, "maxLength": LONGEST_ALT}
        return {
            "type": "object",
            "properties": {"image_id": {"type": "string", "format": "uuid"}, "alt": alt},
            "required": ["image_id", "alt"],
            "additionalProperties": False,
        }
