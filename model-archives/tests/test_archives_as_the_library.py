"""Texts reach a submitted model unchanged: the served answers are those of transformers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from model_archives.base_encoders import MINILM, base_encoder_folder
from model_archives.checkpoint import read_checkpoint
from model_archives.probes import probe_texts
from model_archives.task_types import TASK_TYPES
from tiny_models import TINY, TINY_LABELS, serve, write_tiny_checkpoint
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    PreTrainedModel,
    RobertaConfig,
    RobertaForSequenceClassification,
    pipeline,
)

pytestmark = pytest.mark.slow

CLOSE = 1e-4
ODD_TEXTS = (
    "👍🏽 ok",
    "❤️ 👩‍🚀🇬🇧1️⃣",
    "cafe\u0301 nai\u0308ve É̀ ﬁ Ⅷ",
    "مرحبا يا world، كيف الحال؟",
    "\u202eright to left\u202c שלום",
    "zero\u200bwidth\u200d joined\ufeff",
    "\u00a0 odd\u2028lines\r\nand\ttabs \x07",
    "日本語のテスト ภาษาไทย हिन्दी",
    "[SEP] [CLS] </s> <mask>",
    "word " * 900,
    "a" * 3000,
    "👍🏽" * 400,
)
Change = dict[str, Any]


def _bert() -> PreTrainedModel:
    return BertForSequenceClassification(BertConfig(**TINY, **TINY_LABELS))


def _roberta() -> PreTrainedModel:
    sizes = {**TINY, "max_position_embeddings": 130, "vocab_size": 600, "type_vocab_size": 1}
    return RobertaForSequenceClassification(RobertaConfig(**sizes, **TINY_LABELS))


def _bytes_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = [text.encode("utf-8", "replace").decode() for text in probe_texts()]
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    tokenizer.save(str(folder / "tokenizer.json"))


KINDS: list[tuple[str, Callable[[], PreTrainedModel], Change]] = [
    ("as saved", _bert, {"model_max_length": 128}),
    (
        "keeps capitals, is cut at the left, and takes separators as text",
        _bert,
        {
            "model_max_length": 64,
            "do_lower_case": False,
            "truncation_side": "left",
            "split_special_tokens": True,
        },
    ),
    ("puts a space before", _roberta, {"tokenizer_class": "RobertaTokenizer", "add_prefix_space": True}),
]


DECISIVE = {_bert: "classifier.weight", _roberta: "classifier.out_proj.weight"}
DECIDED = 50.0
"""Factor that makes the outputs of random weights distinguishable."""


def checkpoint_of(folder: Path, make: Callable[[], PreTrainedModel], change: Change) -> Path:
    torch.manual_seed(7)
    model = make()
    with torch.no_grad():
        model.get_parameter(DECISIVE[make]).mul_(DECIDED)
    write_tiny_checkpoint(folder, model)
    if make is _roberta:
        _bytes_tokenizer(folder)
        settings: Change = {"model_max_length": 128}
    else:
        settings = json.loads((base_encoder_folder(MINILM) / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | change))
    return folder


@pytest.mark.parametrize(("kind", "make", "change"), KINDS, ids=[kind for kind, _, _ in KINDS])
def test_the_served_answer_is_the_librarys(
    tmp_path: Path, kind: str, make: Callable[[], PreTrainedModel], change: Change
) -> None:
    checkpoint = checkpoint_of(tmp_path / "checkpoint", make, change)
    library = pipeline("text-classification", str(checkpoint), top_k=None, device="cpu")
    expected = library(list(ODD_TEXTS), truncation=True)
    served = serve(checkpoint, tmp_path, "text-classification")
    answers = served.predict([{"text": text} for text in ODD_TEXTS])
    for text, answer, scores in zip(ODD_TEXTS, answers, expected, strict=True):
        shares = {entry["label"]: entry["score"] for entry in scores}
        assert answer["probabilities"] == pytest.approx(shares, abs=CLOSE), (kind, text[:30])


def test_pairs_are_read_as_the_library_reads_them(tmp_path: Path) -> None:
    checkpoint = checkpoint_of(tmp_path / "checkpoint", _bert, {"model_max_length": 128})
    library = pipeline("text-classification", str(checkpoint), top_k=None, device="cpu")
    pairs = list(zip(ODD_TEXTS, ODD_TEXTS[3:], strict=False))
    served = serve(checkpoint, tmp_path, "text-pair-classification")
    answers = served.predict([{"premise": one, "hypothesis": other} for one, other in pairs])
    for (one, other), answer in zip(pairs, answers, strict=True):
        scores = library({"text": one, "text_pair": other}, truncation=True)
        shares = {entry["label"]: entry["score"] for entry in scores}
        assert answer["probabilities"] == pytest.approx(shares, abs=CLOSE), (one[:30], other[:30])


@pytest.mark.parametrize(
    ("config", "settings", "longest"),
    [
        ({"max_position_embeddings": 128}, {}, 128),
        ({"max_position_embeddings": 128}, {"model_max_length": None}, 128),
        ({"max_position_embeddings": 128}, {"model_max_length": 0}, 128),
        ({"max_position_embeddings": None}, {"model_max_length": 1e30}, 512),
        ({"max_position_embeddings": -1}, {"model_max_length": "many"}, 512),
        ({"max_position_embeddings": 514, "model_type": "roberta", "pad_token_id": 1}, {}, 512),
        ({"max_position_embeddings": 130, "model_type": "xlm-roberta", "pad_token_id": 1}, {}, 128),
        ({"max_position_embeddings": 130, "model_type": "bert"}, {"model_max_length": 64}, 64),
    ],
)
def test_the_longest_input_is_what_the_model_can_read(
    tiny_checkpoint: Path, config: Change, settings: Change, longest: int
) -> None:
    for name, change in (("config.json", config), ("tokenizer_config.json", settings)):
        path = tiny_checkpoint / name
        path.write_text(json.dumps(json.loads(path.read_text()) | {"model_max_length": 512} | change))
    assert read_checkpoint(tiny_checkpoint, TASK_TYPES["text-classification"]).max_tokens == longest
