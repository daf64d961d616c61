"""Questions to a target whose answer is explained, by type of claim, with and without a known answer."""

from pathlib import Path

import pytest
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.configuration.yaml_text import read_configuration
from dynabench_tasks.explanations import Question, question_about
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.values import Value

SERVICES = Path(__file__).parents[3]
SENTIMENT_TEXT = (SERVICES / "annotation" / "tests" / "sentiment.yaml").read_text()
QA_TEXT = (SERVICES / "annotation" / "tasks" / "qa.yaml").read_text()
INSTANCE = {"text": "So be it."}
SPAN = {"start": 3, "end": 5, "text": "be"}
PLACE = {"answer": {"start": 3, "end": 5}}


SENTIMENT, QA = read_configuration(SENTIMENT_TEXT), read_configuration(QA_TEXT)
TOPICS = read_configuration(SENTIMENT_TEXT.replace("multiclass", "multilabel"))


@pytest.mark.parametrize(
    ("task", "label", "answered", "asked"),
    [
        (SENTIMENT, None, "neutral", Question(INSTANCE, "neutral")),
        (SENTIMENT, "negative", "neutral", Question(INSTANCE, "negative")),
        (SENTIMENT, None, None, Question(INSTANCE, None)),
        (TOPICS, None, ["negative", "positive"], Question(INSTANCE, "negative")),
        (TOPICS, None, [], Question(INSTANCE, None)),
        (TOPICS, "neutral", [], Question(INSTANCE, "neutral")),
        (QA, None, SPAN, Question({**INSTANCE, **PLACE}, "start")),
        (QA, "end", SPAN, Question({**INSTANCE, **PLACE}, "end")),
        (QA, None, None, Question(INSTANCE, "start")),
        (QA, "end", None, Question(INSTANCE, "end")),
    ],
)
def test_an_explanation_asks_about_the_answer_or_the_label_that_was_named(
    task: TaskConfiguration, label: str | None, answered: Value | None, asked: Question
) -> None:
    assert question_about(task, INSTANCE, label, answered) == asked


@pytest.mark.parametrize(("task", "label"), [(SENTIMENT, "start"), (TOPICS, "anger"), (QA, "negative")])
def test_a_label_that_the_answer_cant_have_is_refused(task: TaskConfiguration, label: str) -> None:
    with pytest.raises(InputRefused) as caught:
        question_about(task, INSTANCE, label, None)
    assert caught.value.field == "label"
