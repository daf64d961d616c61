"""The challenge sets of the shipped tasks can be uploaded, are balanced, and have a card that names their tags."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.configuration.yaml_text import read_configuration
from dynabench_tasks.equal_texts import comparable
from dynabench_tasks.json_lines import read_lines
from dynabench_tasks.values import to_text
from evaluation.domain.items import Item
from evaluation.service_layer.given_items import read_items

SERVICES = Path(__file__).parents[3]
TASKS = SERVICES / "annotation" / "tasks"
SETS = sorted((SERVICES / "evaluation" / "challenge_sets").glob("*.jsonl"))
TAG = re.compile(r"^\| `([a-z-]+)` \|", re.MULTILINE)
SLUR = "[slur]"

each_set = pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)


def task_of(path: Path) -> TaskConfiguration:
    return read_configuration((TASKS / f"{path.stem}.yaml").read_text(encoding="utf-8"))


def items_of(path: Path) -> Sequence[Item]:
    with path.open("rb") as stream:
        return read_items(read_lines(stream), task_of(path))


def card_of(path: Path) -> str:
    return path.with_suffix(".md").read_text(encoding="utf-8")


def test_every_shipped_task_has_a_set() -> None:
    assert [path.stem for path in SETS] == sorted(path.stem for path in TASKS.glob("*.yaml"))


@each_set
def test_a_set_is_small_and_has_as_many_items_of_one_label_as_of_another(path: Path) -> None:
    items = items_of(path)
    assert 60 <= len(items) <= 80
    per_label = Counter(to_text(gold) for item in items for gold in item.golds)
    if labels := task_of(path).labels:
        assert per_label == dict.fromkeys(labels, len(items) / len(labels))
    assert len({item.cluster for item in items}) >= 20


@each_set
def test_no_two_items_have_the_same_text(path: Path) -> None:
    texts = [comparable(to_text(value)) for item in items_of(path) for value in item.input.values()]
    assert [text for text, number in Counter(texts).items() if number > 1] == []


@each_set
def test_no_item_repeats_what_people_read_in_the_task(path: Path) -> None:
    shown = TASKS / f"{path.stem}.yaml"
    contexts = shown.with_name(f"{path.stem}-contexts.jsonl").read_text(encoding="utf-8")
    texts = [text for line in contexts.splitlines() for text in json.loads(line)["fields"].values()]
    document = yaml.safe_load(shown.read_text(encoding="utf-8"))
    for example in (*document["worked_examples"], *document["practice"]):
        texts += [value for value in example["input"].values() if isinstance(value, str)]
    known = {comparable(text) for text in texts} - {comparable(label) for label in task_of(path).labels}
    for item in items_of(path):
        assert not known & {
            comparable(to_text(value)) for value in (*item.context.values(), *item.input.values())
        }


@each_set
def test_the_card_names_the_tags_each_of_which_several_items_have(path: Path) -> None:
    named = TAG.findall(card_of(path))
    assert named == sorted(named)
    tags = Counter(tag for item in items_of(path) for tag in item.tags)
    assert set(named) == set(tags)
    assert min(tags.values()) >= 2
    assert all(item.tags and len(set(item.tags)) == len(item.tags) for item in items_of(path))


@each_set
def test_the_card_says_how_many_items_there_are_and_under_which_licence(path: Path) -> None:
    card = card_of(path)
    assert card.startswith(f"# {path.stem}: challenge set\n")
    assert f"| items | {len(items_of(path))}: " in card
    assert "| licence | Apache-2.0," in card


def test_an_answer_is_a_span_that_its_question_does_not_give_away() -> None:
    [qa] = [path for path in SETS if path.stem == "qa"]
    for item in items_of(qa):
        passage, question = str(item.context["passage"]), str(item.input["question"])
        assert question.endswith("?")
        for gold in item.golds:
            assert isinstance(gold, dict)
            assert passage[gold["start"] : gold["end"]] == gold["text"]
            assert gold["text"].lower() not in question.lower()


def test_a_slur_is_only_a_placeholder() -> None:
    [hate_speech] = [path for path in SETS if path.stem == "hate-speech"]
    for item in items_of(hate_speech):
        assert (SLUR in str(item.input["text"])) == ("slur-placeholder" in item.tags)
