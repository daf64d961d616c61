"""The task types that archives can have: their handlers, fields and architectures. Imports nothing heavy."""

from dataclasses import dataclass

from model_archives.errors import BuildError

SEQUENCE_CLASSIFIER = "ForSequenceClassification"
QUESTION_ANSWERING = "ForQuestionAnswering"


@dataclass(frozen=True)
class TaskType:
    """`module` and `handler` lie in `handlers/`; `fields` are the default, and their number is fixed where `paired`.

    `architecture` is how the names of its standard architectures end; only a task type with labels is `labelled`.
    """

    name: str
    module: str
    handler: str
    fields: tuple[str, ...]
    architecture: str = SEQUENCE_CLASSIFIER
    labelled: bool = True
    paired: bool = False

    def with_fields(self, fields: tuple[str, ...]) -> tuple[str, ...]:
        """The given fields, or the default where none are given; raises BuildError for an unusable list."""
        chosen = fields or self.fields
        if len(set(chosen)) != len(chosen) or not all(chosen):
            raise BuildError(f"fields {list(chosen)} must have names, each once")
        if self.paired and len(chosen) != len(self.fields):
            raise BuildError(f"{self.name} reads {len(self.fields)} fields; given: {', '.join(chosen)}")
        return chosen


TASK_TYPES = {
    task_type.name: task_type
    for task_type in (
        TaskType("text-classification", "text_classification", "TextClassificationHandler", ("text",)),
        TaskType(
            "text-pair-classification",
            "text_classification",
            "TextClassificationHandler",
            ("premise", "hypothesis"),
            paired=True,
        ),
        TaskType(
            "extractive-qa",
            "extractive_qa",
            "ExtractiveQaHandler",
            ("passage", "question"),
            architecture=QUESTION_ANSWERING,
            labelled=False,
            paired=True,
        ),
        TaskType(
            "multilabel-classification",
            "multilabel_classification",
            "MultilabelClassificationHandler",
            ("text",),
        ),
    )
}


def task_type_named(name: str) -> TaskType:
    """Return a task type. Raises BuildError naming the known ones."""
    if name not in TASK_TYPES:
        raise BuildError(f"task type {name!r} has no handler; known: {', '.join(TASK_TYPES)}")
    return TASK_TYPES[name]
