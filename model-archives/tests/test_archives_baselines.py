"""The baselines in this repository: merging, recorded figures, and the statistics of their cards."""

import json
import os
from pathlib import Path

import pytest
import torch
from model_archives.adapters import merge
from model_archives.training.card import BEGIN, END, figures
from model_archives.training.labelled_text import (
    DATA_VARIABLE,
    LabelledText,
    checklist,
    data_folder,
    detokenised,
    dynasent,
    split_held_out,
    sst_train,
)
from model_archives.training.recipe import read_recipe
from model_archives.training.statistics import expected_calibration_error, macro_f1, recall, wilson_interval
from peft import LoraConfig, TaskType, get_peft_model, get_peft_model_state_dict
from transformers import AutoModelForSequenceClassification

BASELINES = sorted(path.parent for path in (Path(__file__).parents[1] / "baselines").glob("*/config.json"))
needs_data = pytest.mark.skipif(
    not os.environ.get(DATA_VARIABLE), reason=f"{DATA_VARIABLE} names no data folder"
)
MEGABYTE = 1_000_000


def test_merging_equals_peft(tiny_checkpoint):
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
def test_a_baseline_is_small_and_its_card_is_true(folder):
    evaluation = json.loads((folder / "evaluation.json").read_text())
    card = (folder / "card.md").read_text()
    assert (folder / "adapter.safetensors").stat().st_size <= 5 * MEGABYTE
    assert card.split(BEGIN)[1].split(END)[0].strip() == figures(evaluation).strip()
    assert read_recipe(folder).name == folder.name


def test_the_evaluated_weights_are_the_built_ones(store):
    """Fails where an adapter was trained anew and not evaluated, or merges differently on this processor."""
    for folder in BASELINES:
        note = json.loads((store / f"{folder.name}.mar.json").read_text())
        assert note["model_digest"] == json.loads((folder / "evaluation.json").read_text())["model_digest"]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("It 's not bad , is n't it ?", "It's not bad, isn't it?"),
        ("-LRB- a -RRB- `` gem ''", '(a) " gem "'),
        ("writer\\/director", "writer/director"),
        ("you ca n't go wrong .", "you can't go wrong."),
    ],
)
def test_treebank_tokens_become_running_text(tokens, text):
    assert detokenised(tokens) == text


def test_the_held_out_share_is_fixed_and_leaks_nothing():
    examples = [LabelledText(f"text {number % 90}", "neutral") for number in range(100)]
    kept, held_out = split_held_out(examples, 0.1, seed=20)
    assert split_held_out(examples, 0.1, seed=20) == (kept, held_out)
    assert len(kept) + len(held_out) == 100
    assert not {example.text for example in kept} & {example.text for example in held_out}
    assert split_held_out(examples, 0.1, seed=21) != (kept, held_out)


def test_wilson_interval_of_a_published_example():
    low, high = wilson_interval(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)  # Newcombe 1998, table I, score method


def test_macro_f1_and_recall():
    gold, predicted = ["a", "a", "b", "b"], ["a", "b", "b", "b"]
    assert macro_f1(gold, predicted) == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert recall("a", gold, predicted) == 0.5


def test_calibration_error_is_the_gap_between_confidence_and_accuracy():
    assert expected_calibration_error([0.9, 0.9, 0.9, 0.9], [True, True, False, False]) == pytest.approx(0.4)
    assert expected_calibration_error([1.0, 1.0], [True, True]) == 0


@needs_data
def test_the_data_sets_have_their_published_sizes():
    folder = data_folder()
    assert len(sst_train(folder)) == 8544
    assert len(dynasent(folder, 1)) == 3600
    assert len(dynasent(folder, 2)) == 720
    assert len(checklist(folder)) == 2582


@needs_data
def test_no_held_out_sentence_is_trained_on():
    kept, held_out = split_held_out(sst_train(data_folder()), 0.1, seed=20)
    assert not {example.text for example in kept} & {example.text for example in held_out}
    assert len(held_out) == pytest.approx(854, abs=5)
