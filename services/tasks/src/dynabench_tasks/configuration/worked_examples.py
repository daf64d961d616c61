"""Examples that show newcomers what a good try looks like."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_tasks.configuration.section import ConfigurationError, Section
from dynabench_tasks.fields import Field, InputRefused, check_values, texts_of
from dynabench_tasks.values import Value

MOST_EXAMPLES = 10


@dataclass(frozen=True)
class WorkedExample:
    """A context, an input with its claim, and why it is a good one."""

    context: Mapping[str, Value]
    input: Mapping[str, Value]
    why: str

    def document(self) -> Mapping[str, object]:
        """Return the example as its configuration says it."""
        return {"context": dict(self.context), "input": dict(self.input), "why": self.why}


def read_worked_examples(
    section: Section, context: tuple[Field, ...], inputs: tuple[Field, ...]
) -> tuple[WorkedExample, ...]:
    """Return the examples, checked like a person's own. Raises ConfigurationError."""
    if "worked_examples" not in section:
        section.take("worked_examples")
        return ()
    return tuple(
        _read(entry, context, inputs) for entry in section.sections("worked_examples", 0, MOST_EXAMPLES)
    )


def _read(section: Section, context: tuple[Field, ...], inputs: tuple[Field, ...]) -> WorkedExample:
    start, written = section.mapping("context"), section.mapping("input")
    why = section.finish(section.text("why", 1_000))
    try:
        checked = check_values(context, start, section.at("context"))
        return WorkedExample(
            checked, check_values(inputs, written, section.at("input"), texts_of(context, checked)), why
        )
    except InputRefused as err:
        raise ConfigurationError(err.field, err.reason, err.remedy) from err
