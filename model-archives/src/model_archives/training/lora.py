"""Fit a LoRA adapter and a classification head on a frozen encoder, on one CPU thread.

Two threads on a busy machine ran ten times slower than one; sorting sentences by length inside windows of
batches saves about a third of the time that padding would cost.
"""

import random
from collections.abc import Callable, Iterator

import torch
from peft import LoraConfig, PeftModel, TaskType, get_peft_model, get_peft_model_state_dict
from safetensors.torch import save_file
from tokenizers import Tokenizer

from model_archives.base_encoders import base_encoder_folder
from model_archives.handlers.classifier import MeanPooledBertForSequenceClassification
from model_archives.handlers.normalisation import normalised_text
from model_archives.training.labelled_text import LabelledText
from model_archives.training.recipe import Recipe

BATCHES_PER_WINDOW = 16
WARM_UP_SHARE = 0.06
Progress = Callable[[int, int, float], None]
Encoded = tuple[list[int], int]


def train_adapter(recipe: Recipe, examples: list[LabelledText], progress: Progress) -> None:
    """Train and write the adapter file; `progress(step, steps, loss)` is called after each step."""
    torch.set_num_threads(1)
    torch.manual_seed(recipe.training.seed)
    model = _adapted_model(recipe)
    encoded = _encode(recipe, examples)
    batches = [batch for epoch in range(recipe.training.epochs) for batch in _batches(recipe, encoded, epoch)]
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=recipe.training.learning_rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, _warm_up_then_linear_decay(len(batches)))
    model.train()
    for step, batch in enumerate(batches, start=1):
        loss = _loss(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        progress(step, len(batches), float(loss.detach()))
    _save(recipe, model)


def _adapted_model(recipe: Recipe) -> PeftModel:
    base = MeanPooledBertForSequenceClassification.from_pretrained(
        base_encoder_folder(recipe.base), num_labels=len(recipe.labels), dtype=torch.float32
    )
    configuration = LoraConfig(
        task_type=TaskType.SEQ_CLS,
        r=recipe.lora.rank,
        lora_alpha=recipe.lora.alpha,
        lora_dropout=0.0,
        target_modules=["query", "key", "value", "dense"],
        modules_to_save=["classifier"],
    )
    return get_peft_model(base, configuration)


def _encode(recipe: Recipe, examples: list[LabelledText]) -> list[Encoded]:
    tokenizer = Tokenizer.from_file(str(base_encoder_folder(recipe.base) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(recipe.training.max_tokens)
    encodings = tokenizer.encode_batch([normalised_text(example.text) for example in examples])
    labels = [recipe.labels.index(example.label) for example in examples]
    return [(encoding.ids, label) for encoding, label in zip(encodings, labels, strict=True)]


def _batches(recipe: Recipe, encoded: list[Encoded], epoch: int) -> Iterator[list[Encoded]]:
    order = random.Random(recipe.training.seed + epoch)  # noqa: S311 - not a secret
    shuffled = order.sample(encoded, len(encoded))
    size = recipe.training.batch_size
    batches = []
    for start in range(0, len(shuffled), size * BATCHES_PER_WINDOW):
        window = sorted(shuffled[start : start + size * BATCHES_PER_WINDOW], key=lambda item: len(item[0]))
        batches += [window[first : first + size] for first in range(0, len(window), size)]
    order.shuffle(batches)
    yield from batches


def _warm_up_then_linear_decay(steps: int) -> Callable[[int], float]:
    warm_up = max(1, round(WARM_UP_SHARE * steps))
    return lambda step: min((step + 1) / warm_up, (steps - step) / (steps - warm_up))


def _loss(model: torch.nn.Module, batch: list[Encoded]) -> torch.Tensor:
    width = max(len(ids) for ids, _ in batch)
    input_ids = torch.tensor([ids + [0] * (width - len(ids)) for ids, _ in batch])
    mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in batch])
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=_has_bfloat16()):
        logits = model(input_ids=input_ids, attention_mask=mask).logits
    return torch.nn.functional.cross_entropy(logits.float(), torch.tensor([label for _, label in batch]))


def _has_bfloat16() -> bool:
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def _save(recipe: Recipe, model: PeftModel) -> None:
    """Write the adapter in half precision, with the logit correction folded into the classifier's bias."""
    tensors = get_peft_model_state_dict(model)
    bias = next(name for name in tensors if name.endswith("classifier.bias"))
    tensors[bias] = tensors[bias] + torch.tensor(
        [recipe.logit_correction.get(name, 0.0) for name in recipe.labels]
    )
    save_file({name: tensor.half().contiguous() for name, tensor in tensors.items()}, recipe.adapter_file)
