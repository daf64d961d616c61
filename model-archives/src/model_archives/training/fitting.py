"""The training loop that every baseline shares, on one CPU thread, and its output.

Two threads on a busy machine ran ten times slower than one; sorting examples by length inside windows of
batches saves about a third of the time that padding would cost.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from safetensors.torch import save_file

from model_archives.handlers.encoded_text import EncodedText
from model_archives.training.recipe import Recipe, Training

BATCHES_PER_WINDOW = 16
WARM_UP_SHARE = 0.06
WEIGHT_DECAY = 0.01
Progress = Callable[[int, int, float], None]
Target = tuple[float, ...]
Scores = Callable[[dict[str, torch.Tensor]], torch.Tensor]
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


@dataclass(frozen=True)
class FittingExample:
    """Input of the model and its expected answer; the loss defines the meaning of the target's numbers."""

    encoded: EncodedText
    target: Target


def fit(
    model: torch.nn.Module,
    scores: Scores,
    loss: Loss,
    examples: Sequence[FittingExample],
    training: Training,
    progress: Progress,
) -> None:
    """Fit the parameters that require gradients; `progress(step, steps, loss)` is called after each step."""
    batches = [batch for epoch in range(training.epochs) for batch in _batches(training, examples, epoch)]
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=training.learning_rate, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, _warm_up_then_linear_decay(len(batches)))
    model.train()
    for step, batch in enumerate(batches, start=1):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=_has_bfloat16()):
            answered = scores(padded_inputs([example.encoded for example in batch]))
        cost = loss(answered.float(), torch.tensor([example.target for example in batch]))
        cost.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        progress(step, len(batches), float(cost.detach()))


def padded_inputs(texts: Sequence[EncodedText]) -> dict[str, torch.Tensor]:
    """The three tensors of a batch, padded with zeros behind."""
    width = max(map(len, texts))
    return {
        "input_ids": torch.tensor([text.ids + [0] * (width - len(text)) for text in texts]),
        "attention_mask": torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in texts]),
        "token_type_ids": torch.tensor([text.type_ids + [0] * (width - len(text)) for text in texts]),
    }


def one_label_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross entropy; the target is the label's index."""
    return torch.nn.functional.cross_entropy(logits, targets[:, 0].long())


def label_set_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Each label on its own; the target is 1 or 0 per label."""
    return torch.nn.functional.binary_cross_entropy_with_logits(logits, targets.float())


def span_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross entropy over positions; the target is the first and the last token of the answer."""
    start, end = logits.unbind(dim=-1)
    entropy = torch.nn.functional.cross_entropy
    return (entropy(start, targets[:, 0].long()) + entropy(end, targets[:, 1].long())) / 2


def _batches(
    training: Training, examples: Sequence[FittingExample], epoch: int
) -> Iterator[list[FittingExample]]:
    order = random.Random(training.seed + epoch)  # noqa: S311 - not a secret
    shuffled = order.sample(examples, len(examples))
    size = training.batch_size
    batches = []
    for start in range(0, len(shuffled), size * BATCHES_PER_WINDOW):
        window = sorted(
            shuffled[start : start + size * BATCHES_PER_WINDOW], key=lambda item: len(item.encoded)
        )
        batches += [window[first : first + size] for first in range(0, len(window), size)]
    order.shuffle(batches)
    yield from batches


def _warm_up_then_linear_decay(steps: int) -> Callable[[int], float]:
    warm_up = max(1, round(WARM_UP_SHARE * steps))
    return lambda step: min((step + 1) / warm_up, (steps - step) / max(1, steps - warm_up))


def _has_bfloat16() -> bool:
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def save_weights(recipe: Recipe, tensors: Mapping[str, torch.Tensor]) -> None:
    """Write the recipe's weights file in half precision.

    Its logit correction is folded into the last bias of the classifier.
    """
    kept = dict(tensors)
    if recipe.logit_correction:
        bias = [name for name in kept if "classifier" in name and name.endswith(".bias")][-1]
        corrections = [recipe.logit_correction.get(label, 0.0) for label in recipe.labels]
        kept[bias] = kept[bias] + torch.tensor(corrections)
    halves = {name: tensor.half().contiguous() for name, tensor in kept.items()}
    save_file(halves, recipe.weights_file)
