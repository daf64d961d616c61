"""The tasks that are shipped can be used, each with its contexts."""

import json
from pathlib import Path
from uuid import UUID

import pytest
from annotation.domain.context import read_contexts
from annotation.domain.identifiers import ContextId
from dynabench_tasks.configuration.yaml_text import find_problems, read_configuration
from dynabench_tasks.fields.labels import LabelledField

SHIPPED = sorted((Path(__file__).parents[2] / "tasks").glob("*.yaml"))
EXAMPLES = sorted((Path(__file__).parents[4] / "examples").glob("*.yaml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_task_is_usable_with_its_contexts(path: Path) -> None:
    configuration = read_configuration(path.read_text())
    lines = path.with_name(f"{path.stem}-contexts.jsonl").read_text().splitlines()
    uploads = [json.loads(line) for line in lines]

    contexts = read_contexts(
        configuration, [(ContextId(UUID(int=n)), c["fields"], c["tags"]) for n, c in enumerate(uploads)]
    )

    assert configuration.slug == path.stem
    assert len(configuration.worked_examples) >= 3
    assert len(configuration.tips) >= 4
    assert len(configuration.instructions.splitlines()) > 30
    assert len(contexts) >= 40
    assert all(context.tags for context in contexts)


@pytest.mark.parametrize("path", [*SHIPPED, *EXAMPLES], ids=lambda path: path.stem)
def test_newcomers_practise_on_three_items_of_which_one_fools_nobody(path: Path) -> None:
    configuration, problems = find_problems(path.read_text())
    assert (problems, configuration is not None) == ((), True)
    assert configuration is not None
    fooled = [
        configuration.wrong_when.is_wrong(item.answer, item.model_said) for item in configuration.practice
    ]
    # A picture to practise on would have to be uploaded first.
    starts_from_a_picture = configuration.fields.context[0].type_name == "image"
    assert fooled == ([] if starts_from_a_picture else [True, False, True])
    told = [str(item.input) for item in configuration.practice]
    assert not set(told) & {str(each.input) for each in configuration.worked_examples}


def test_no_two_shipped_tasks_tell_the_same_about_fooling() -> None:
    told = [set(read_configuration(path.read_text()).tips) for path in SHIPPED]
    shared = set.intersection(*told)
    assert shared == set()


def test_every_relation_of_nli_is_said_in_plain_words_with_an_example() -> None:
    [nli] = [path for path in SHIPPED if path.stem == "nli"]
    claimed = read_configuration(nli.read_text()).claimed_field
    assert isinstance(claimed, LabelledField)
    assert {each.label for each in claimed.meanings} == set(claimed.labels)
    assert all(each.words and each.example for each in claimed.meanings)


def test_the_four_tasks_are_shipped() -> None:
    assert [path.stem for path in SHIPPED] == ["hate-speech", "nli", "qa", "sentiment"]
