"""Transformer checkpoints: the standard architectures, and two of our own on BERT.

Sentence encoders such as MiniLM keep the meaning of a sentence in the mean of its token vectors. The same
training on the first token, as the standard BERT classifier has it, was less accurate by 1.6 points on held-out
SST, 2.1 on DynaSent round 1 and 8.8 on CheckList's minimum functionality tests. Of two texts read together the
first token knows how they relate, so pairs use both.
"""

from pathlib import Path
from typing import Any, ClassVar

import torch
from transformers import (
    AutoModelForQuestionAnswering,
    AutoModelForSequenceClassification,
    BertConfig,
    BertModel,
    BertPreTrainedModel,
    PreTrainedModel,
)
from transformers.modeling_outputs import SequenceClassifierOutput
from transformers.utils.logging import disable_progress_bar

QUESTION_ANSWERING = "ForQuestionAnswering"


class PooledBertForSequenceClassification(BertPreTrainedModel):  # type: ignore[misc] # untyped base
    """BERT → the mean over the tokens that are no padding, for some beside the first token → labels."""

    reads_first_token: ClassVar[bool]

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.bert = BertModel(config, add_pooling_layer=False)
        self.classifier = self.head(config)
        self.post_init()

    def head(self, config: BertConfig) -> torch.nn.Module:
        """The layers from the pooled vector to the logits."""
        raise NotImplementedError

    def forward(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        token_type_ids: torch.Tensor | None = None,
        inputs_embeds: torch.Tensor | None = None,
        **_options: Any,
    ) -> SequenceClassifierOutput:
        """Logits of shape (batch, labels); takes the arguments that the standard classifiers take."""
        hidden = self.bert(
            input_ids=input_ids,
            attention_mask=attention_mask,
            token_type_ids=token_type_ids,
            inputs_embeds=inputs_embeds,
        ).last_hidden_state
        if attention_mask is None:
            mean = hidden.mean(dim=1)
        else:
            mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
            mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1)
        pooled = torch.cat([hidden[:, 0], mean], dim=-1) if self.reads_first_token else mean
        return SequenceClassifierOutput(logits=self.classifier(pooled))


class MeanPooledBertForSequenceClassification(PooledBertForSequenceClassification):
    """BERT → mean over the tokens that are no padding → one linear layer."""

    reads_first_token = False

    def head(self, config: BertConfig) -> torch.nn.Module:
        """One linear layer."""
        return torch.nn.Linear(config.hidden_size, config.num_labels)


class FirstAndMeanBertForSequenceClassification(PooledBertForSequenceClassification):
    """BERT → first token beside the mean → a hidden layer → labels; for two texts read together."""

    reads_first_token = True

    def head(self, config: BertConfig) -> torch.nn.Module:
        """A hidden layer as wide as the encoder, and a linear one."""
        return torch.nn.Sequential(
            torch.nn.Linear(2 * config.hidden_size, config.hidden_size),
            torch.nn.GELU(),
            torch.nn.Linear(config.hidden_size, config.num_labels),
        )


OWN_ENCODERS = {
    architecture.__name__: architecture
    for architecture in (MeanPooledBertForSequenceClassification, FirstAndMeanBertForSequenceClassification)
}


class EncoderScores(torch.nn.Module):  # type: ignore[misc] # untyped base
    """A transformer as the other networks are called: three tensors in, one tensor of scores out."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model
        self._reads_types = getattr(model.config, "type_vocab_size", 0) > 1

    @property
    def embeddings(self) -> torch.nn.Module:
        """The layer that turns token ids into vectors."""
        return self.model.get_input_embeddings()

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Shape (batch, labels), or for question answering (batch, tokens, 2): starts and ends."""
        inputs = {"input_ids": input_ids, "attention_mask": attention_mask}
        if self._reads_types:
            inputs["token_type_ids"] = token_type_ids
        output = self.model(**inputs)
        if hasattr(output, "start_logits"):
            return torch.stack([output.start_logits, output.end_logits], dim=-1)
        return output.logits


def load_encoder(folder: Path, architecture: str) -> EncoderScores:
    """Weights from safetensors only, in single precision; never any code of the checkpoint's."""
    disable_progress_bar()
    standard = (
        AutoModelForQuestionAnswering
        if architecture.endswith(QUESTION_ANSWERING)
        else AutoModelForSequenceClassification
    )
    loader = OWN_ENCODERS.get(architecture, standard)
    return EncoderScores(
        loader.from_pretrained(folder, local_files_only=True, use_safetensors=True, dtype=torch.float32)
    )
