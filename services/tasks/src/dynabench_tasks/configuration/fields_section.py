"""The fields of a task, checked as a whole: names, what refers to what, and the one that is claimed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from dynabench_tasks.configuration.section import ConfigurationError, Section, refuse_twice, unknown
from dynabench_tasks.fields import Field, read_field
from dynabench_tasks.fields.string import StringField

MOST_FIELDS = 20


@dataclass(frozen=True)
class TaskFields:
    """The three lists of fields, and the field that authors claim: it stands in input and output."""

    context: tuple[Field, ...]
    input: tuple[Field, ...]
    output: tuple[Field, ...]
    claimed: Field

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the names of the string fields of context and input."""
        return tuple(_texts((*self.context, *self.input)))

    @property
    def written(self) -> tuple[Field, ...]:
        """Return the fields of the input without the claim."""
        return tuple(field for field in self.input if field.name != self.claimed.name)


def read_fields(section: Section) -> TaskFields:
    """Return the fields of a configuration. Raises ConfigurationError."""
    context = tuple(_read_context_field(field) for field in section.sections("context", 1, MOST_FIELDS))
    inputs, outputs = (
        tuple(read_field(field) for field in section.sections(key, 1, MOST_FIELDS))
        for key in ("input", "output")
    )
    for key, fields in (("context", context), ("input", inputs), ("output", outputs)):
        refuse_twice([field.name for field in fields], key)
        _refuse_misplaced(key, fields)
    for position, field in enumerate(inputs):
        if field.name in {other.name for other in context}:
            raise ConfigurationError(
                f"input[{position}].name", f"repeats the context's {field.name!r}", "Give it another name."
            )
    _check_references("context", context, _texts(context))
    _check_references("input", inputs, _texts((*context, *inputs)))
    _check_starts(context, inputs)
    claimed = _claimed_of(inputs, outputs)
    _check_outputs(outputs, claimed)
    return TaskFields(context, inputs, outputs, claimed)


def read_instance(section: Section, fields: TaskFields) -> Mapping[str, str]:
    """Return which task field each field of a model's instance holds: the written texts, unless said otherwise.

    Raises ConfigurationError.
    """
    texts = _texts((*fields.context, *fields.written))
    optional = {field.name for field in fields.context if field.default is not None}
    if "instance" not in section:
        section.take("instance")
        return {name: name for name in _texts(fields.written)}
    mapping = section.section("instance")
    if not mapping.keys:
        raise ConfigurationError(mapping.path, "is empty", "Map the model's text fields to the task's.")
    found = {}
    for name in mapping.keys:
        source = mapping.text(name, 40)
        if source not in texts:
            raise unknown(source, texts, mapping.at(name), f"is {source!r}, no text of context or input")
        if source in optional:
            reason = f"is {source!r}, which is optional, and models refuse empty texts"
            raise ConfigurationError(mapping.at(name), reason, "Map it to a text that must be there.")
        found[name] = source
    return mapping.finish(found)


def _read_context_field(section: Section) -> Field:
    is_optional = section.flag("optional")
    field = read_field(section)
    if isinstance(field, StringField):
        return replace(field, is_optional=is_optional)
    if is_optional:
        raise ConfigurationError(
            section.at("optional"), f"stands on {field.type_name}", "Only texts can be left out."
        )
    return field


def _texts(fields: Iterable[Field]) -> list[str]:
    return [field.name for field in fields if field.type_name == "string"]


def _refuse_misplaced(key: str, fields: tuple[Field, ...]) -> None:
    for position, field in enumerate(fields):
        path = f"{key}[{position}]"
        if field.type_name == "probabilities" and key != "output":
            raise ConfigurationError(
                f"{path}.type", "is probabilities", "Probabilities stand in `output` alone."
            )
        if key == "context" and field.type_name not in ("string", "image"):
            raise ConfigurationError(
                f"{path}.type", f"is {field.type_name}", "A context holds string and image."
            )
        if key != "input" and isinstance(field, StringField) and field.starts_from is not None:
            raise ConfigurationError(f"{path}.starts_from", "stands outside the input", "Remove it.")


def _check_references(key: str, fields: tuple[Field, ...], texts: list[str]) -> None:
    for position, field in enumerate(fields):
        if field.type_name == "span" and field.refers_to not in texts:
            path = f"{key}[{position}].of"
            raise unknown(str(field.refers_to), texts, path, f"is {field.refers_to!r}, no text of this task")


def _check_starts(context: tuple[Field, ...], inputs: tuple[Field, ...]) -> None:
    for position, field in enumerate(inputs):
        if isinstance(field, StringField) and field.starts_from not in (None, *_texts(context)):
            path = f"input[{position}].starts_from"
            reason = f"is {field.starts_from!r}, no text of the context"
            raise unknown(str(field.starts_from), _texts(context), path, reason)


def _claimed_of(inputs: tuple[Field, ...], outputs: tuple[Field, ...]) -> Field:
    names = {field.name for field in inputs}
    shared = [(position, field) for position, field in enumerate(outputs) if field.name in names]
    if len(shared) != 1:
        raise ConfigurationError(
            "output",
            f"shares {len(shared)} fields with the input",
            "Name the one claimed field in both lists.",
        )
    position, answered = shared[0]
    mine = next(field for field in inputs if field.name == answered.name)
    if not mine.can_be_claimed or answered.type_name != mine.type_name:
        raise ConfigurationError(
            f"output[{position}].type",
            f"is {answered.type_name} where the input's {mine.name} is {mine.type_name}",
            "Give both the same type: multiclass, multilabel, span or string.",
        )
    if set(mine.labels) != set(answered.labels):
        raise ConfigurationError(
            f"output[{position}].labels", "differ from the input's", "Give both the same labels."
        )
    if mine.refers_to != answered.refers_to:
        raise ConfigurationError(f"output[{position}].of", "differs from the input's", "Mark the same field.")
    return mine


def _check_outputs(outputs: tuple[Field, ...], claimed: Field) -> None:
    for position, field in enumerate(outputs):
        if field.name == claimed.name:
            continue
        if field.type_name != "probabilities":
            raise ConfigurationError(
                f"output[{position}]",
                "does not stand in the input",
                "Beside the claimed field, outputs are probabilities.",
            )
        if field.refers_to != claimed.name or not claimed.labels:
            path = f"output[{position}].of"
            raise unknown(
                str(field.refers_to), (claimed.name,), path, f"is {field.refers_to!r}, no output with labels"
            )
