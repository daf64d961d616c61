"""The baselines in this repository: merging, recorded figures, and the statistics of their cards."""

import json
import os
from pathlib import Path

import pytest
import torch
from model_archives.adapters import merge
from model_archives.building import write_checkpoint
from model_archives.checkpoint import read_checkpoint
from model_archives.digests import content_digest
from model_archives.models_file import read_models_file
from model_archives.task_types import TASK_TYPES
from model_archives.training.card import BEGIN, END, figures
from model_archives.training.data_files import DATA_VARIABLE
from model_archives.training.data_sets import anli_round_1, snli, split_recipe_data, squad, topics
from model_archives.training.examples import LabelledText, split_held_out
from model_archives.training.hate_data import hatecheck, hatemoji_and_stormfront
from model_archives.training.recipe import read_recipe
from model_archives.training.sentiment_data import checklist, detokenised, dynasent, sst_train
from model_archives.training.statistics import (
    clustered_interval,
    expected_calibration_error,
    macro_f1,
    mean_interval,
    micro_f1,
    recall,
    wilson_interval,
)
from peft import LoraConfig, TaskType, get_peft_model, get_peft_model_state_dict
from transformers import AutoModelForSequenceClassification

ROOT = Path(__file__).parents[1]
BASELINES = sorted(path.parent for path in (ROOT / "baselines").glob("*/config.json"))
needs_data = pytest.mark.skipif(
    not os.environ.get(DATA_VARIABLE), reason=f"{DATA_VARIABLE} names no data folder"
)
MEGABYTE = 1_000_000


def test_merging_equals_peft(tiny_checkpoint: Path) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(tiny_checkpoint)
    base = {name: tensor.numpy().copy() for name, tensor in model.state_dict().items()}
    configuration = LoraConfig(
        task_type=TaskType.SEQ_CLS,
        r=4,
        lora_alpha=8,
        target_modules=["query", "key", "value", "dense"],
        modules_to_save=["classifier"],
        init_lora_weights=False,
    )
    adapted = get_peft_model(model, configuration)
    adapter = {name: tensor.detach().numpy() for name, tensor in get_peft_model_state_dict(adapted).items()}
    merge(base, adapter, scale=2.0)
    merged = adapted.merge_and_unload().state_dict()
    assert set(merged) == set(base)
    for name, tensor in merged.items():
        assert torch.allclose(tensor, torch.from_numpy(base[name]), atol=1e-6), name


@pytest.mark.parametrize("folder", BASELINES, ids=lambda folder: folder.name)
def test_a_baseline_is_small_and_its_card_is_true(folder: Path) -> None:
    evaluation = json.loads((folder / "evaluation.json").read_text())
    card = (folder / "card.md").read_text()
    assert read_recipe(folder).weights_file.stat().st_size <= 5 * MEGABYTE
    assert card.split(BEGIN)[1].split(END)[0].strip() == figures(evaluation).strip()
    assert read_recipe(folder).name == folder.name


@pytest.mark.parametrize("folder", BASELINES, ids=lambda folder: folder.name)
def test_the_evaluated_weights_are_the_built_ones(folder: Path, tmp_path: Path) -> None:
    """Fails if a baseline was retrained without evaluation, or if this processor merges it differently."""
    recipe = read_recipe(folder)
    write_checkpoint(recipe, tmp_path)
    checkpoint = read_checkpoint(tmp_path, TASK_TYPES[recipe.task_type], recipe.fields, recipe.max_tokens)
    digest = content_digest({name: tmp_path / name for name in checkpoint.files})
    assert digest == json.loads((folder / "evaluation.json").read_text())["model_digest"]


def test_every_served_model_is_the_baseline_of_its_recipe() -> None:
    entries = read_models_file(ROOT / "models.yaml")
    assert sorted(entry.name for entry in entries) == [folder.name for folder in BASELINES]
    for entry in entries:
        recipe = read_recipe(ROOT / "baselines" / entry.name)
        assert (recipe.task_type, recipe.fields, recipe.labels) == (
            entry.task_type,
            entry.fields,
            entry.labels,
        )


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("It 's not bad , is n't it ?", "It's not bad, isn't it?"),
        ("-LRB- a -RRB- `` gem ''", '(a) " gem "'),
        ("writer\\/director", "writer/director"),
        ("you ca n't go wrong .", "you can't go wrong."),
    ],
)
def test_treebank_tokens_become_running_text(tokens: str, text: str) -> None:
    assert detokenised(tokens) == text


def test_the_held_out_share_is_fixed_and_leaks_no_group() -> None:
    examples = [LabelledText((f"text {number}",), ("neutral",), f"{number % 90}") for number in range(100)]
    kept, held_out = split_held_out(examples, 0.1, seed=20)
    assert split_held_out(examples, 0.1, seed=20) == (kept, held_out)
    assert len(kept) + len(held_out) == 100
    assert not {example.group for example in kept} & {example.group for example in held_out}
    assert split_held_out(examples, 0.1, seed=21) != (kept, held_out)


def test_wilson_interval_of_a_published_example() -> None:
    low, high = wilson_interval(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)  # Newcombe 1998, table I, score method


def test_cases_of_one_template_that_are_alike_count_as_little_more_than_one() -> None:
    """100 templates of 5 cases, all right or all wrong: as wide as 100 cases, not as 500."""
    outcomes = [template % 4 > 0 for template in range(100) for _ in range(5)]
    low, high = clustered_interval(outcomes, [template for template in range(100) for _ in range(5)])
    few, many = wilson_interval(75, 100), wilson_interval(375, 500)
    assert high - low == pytest.approx(few[1] - few[0], rel=0.05)
    assert high - low > 2 * (many[1] - many[0])


def test_cases_that_are_nothing_alike_keep_their_number() -> None:
    outcomes = [case % 4 > 0 for case in range(400)]
    interval = clustered_interval(outcomes, [case // 4 for case in range(400)])
    assert interval == pytest.approx(wilson_interval(300, 400), abs=0.003)


@pytest.mark.parametrize("outcome", [True, False])
def test_all_right_or_all_wrong_is_no_certainty(outcome: bool) -> None:
    low, high = clustered_interval([outcome] * 20, [case // 5 for case in range(20)])
    assert 0 <= low < high <= 1
    assert high - low > 0.1


def test_macro_f1_and_recall() -> None:
    gold, predicted = ["a", "a", "b", "b"], ["a", "b", "b", "b"]
    assert macro_f1(gold, predicted) == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert recall("a", gold, predicted) == 0.5


def test_calibration_error_is_the_gap_between_confidence_and_accuracy() -> None:
    assert expected_calibration_error([0.9, 0.9, 0.9, 0.9], [True, True, False, False]) == pytest.approx(0.4)
    assert expected_calibration_error([1.0, 1.0], [True, True]) == 0


def test_micro_f1_and_the_interval_of_a_mean() -> None:
    assert micro_f1([("a", "b"), ("b",)], [("a",), ("b", "c")]) == pytest.approx(2 * 2 / (3 + 3))
    low, high = mean_interval([0.0, 1.0] * 50)
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / 99**0.5, rel=1e-3)


def test_both_languages_of_a_topic_item_say_the_same() -> None:
    english, german = topics("en"), topics("de")
    assert [example.labels for example in english] == [example.labels for example in german]
    assert len(topics()) == len(english) + len(german) == 228
    assert {len(example.labels) for example in english} == {1, 2}


@needs_data
def test_the_data_sets_have_their_published_sizes() -> None:
    assert len(sst_train()) == 8544
    assert len(dynasent(1)) == 3600
    assert len(dynasent(2)) == 720
    assert len(checklist()) == 2582
    assert len(snli()) == 9842
    assert len(anli_round_1()) == 1000
    assert len(hatecheck()) == 3728
    assert len(hatemoji_and_stormfront()) == 4728 + 1196 + 3000
    assert len(squad()) == 2910


@needs_data
@pytest.mark.parametrize("folder", BASELINES, ids=lambda folder: folder.name)
def test_no_held_out_group_is_trained_on(folder: Path) -> None:
    kept, held_out = split_recipe_data(read_recipe(folder))
    assert held_out
    assert not {example.group for example in kept} & {example.group for example in held_out}


@needs_data
def test_answers_stand_at_their_stated_position() -> None:
    assert all(item.passage[item.start : item.end] == item.answers[0] for item in squad())
