"""Networks without a transformer, in plain PyTorch: small, quick, and wrong in other places than the encoders.

Each is called like an encoder, with three tensors of shape (batch, tokens), and keeps its vectors in `embeddings`,
so that exporting and explaining need not know which network they hold. Padding changes nothing.
"""

from collections.abc import Sequence

import torch
from torch.nn import functional


class ConvolutionOverPieces(torch.nn.Module):  # type: ignore[misc] # untyped base
    """Word-piece vectors → convolutions of several widths → the strongest answer of each filter → labels."""

    def __init__(
        self, vocabulary: int, labels: int, width: int, filters: int, spans: Sequence[int], dropout: float
    ) -> None:
        super().__init__()
        self.embeddings = torch.nn.Embedding(vocabulary, width)
        self.convolutions = torch.nn.ModuleList(
            torch.nn.Conv1d(width, filters, span, padding=span // 2) for span in spans
        )
        self.dropout = torch.nn.Dropout(dropout)
        self.classifier = torch.nn.Linear(filters * len(spans), labels)

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor,  # noqa: ARG002 - one text has one type
    ) -> torch.Tensor:
        """Logits of shape (batch, labels)."""
        mask = attention_mask.unsqueeze(-1).to(torch.float32)
        vectors = self.dropout(self.embeddings(input_ids) * mask).transpose(1, 2)
        length = input_ids.shape[1]
        strongest = [
            (functional.relu(convolution(vectors))[:, :, :length] * mask.transpose(1, 2)).amax(dim=2)
            for convolution in self.convolutions
        ]
        return self.classifier(self.dropout(torch.cat(strongest, dim=1)))


class DecomposableAttention(torch.nn.Module):  # type: ignore[misc] # untyped base
    """Each word piece of one text is compared with what it attends to in the other (Parikh et al. 2016)."""

    def __init__(self, vocabulary: int, labels: int, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.embeddings = torch.nn.Embedding(vocabulary, width)
        self.dropout = torch.nn.Dropout(dropout)
        self.attend = _two_layers(width, hidden, dropout)
        self.compare = _two_layers(4 * width, hidden, dropout)
        self.aggregate = _two_layers(4 * hidden, hidden, dropout)
        self.classifier = torch.nn.Linear(hidden, labels)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Logits of shape (batch, labels); the token types tell the two texts apart."""
        vectors = self.embeddings(input_ids)
        present = attention_mask.to(torch.bool)
        second = token_type_ids.to(torch.bool)
        across = (second.unsqueeze(2) != second.unsqueeze(1)) & present.unsqueeze(1)
        attended = self.attend(self.dropout(vectors))
        scores = (attended @ attended.transpose(1, 2)) / attended.shape[-1] ** 0.5
        aligned = scores.masked_fill(~across, -1e9).softmax(dim=-1) @ vectors
        compared = self.compare(torch.cat([vectors, aligned, vectors - aligned, vectors * aligned], dim=-1))
        sides = [_pooled(compared, present & side) for side in (~second, second)]
        return self.classifier(self.aggregate(torch.cat(sides, dim=-1)))


class HashedNgrams(torch.nn.Module):  # type: ignore[misc] # untyped base
    """The sum of the vectors of hashed n-grams over the root of their number → labels.

    A mean would drown the few telling n-grams of a long text, a sum would make every long text certain.
    """

    def __init__(self, vocabulary: int, labels: int, width: int, dropout: float) -> None:
        super().__init__()
        self.embeddings = torch.nn.Embedding(vocabulary, width)
        # Buckets that training never touches stay near zero, so unknown n-grams say nothing.
        torch.nn.init.normal_(self.embeddings.weight, std=0.01)
        self.dropout = torch.nn.Dropout(dropout)
        self.classifier = torch.nn.Linear(width, labels)

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor,  # noqa: ARG002 - n-grams of all fields count alike
    ) -> torch.Tensor:
        """Logits of shape (batch, labels)."""
        mask = attention_mask.unsqueeze(-1).to(torch.float32)
        total = (self.embeddings(input_ids) * mask).sum(dim=1)
        return self.classifier(self.dropout(total / mask.sum(dim=1).sqrt()))


def _two_layers(inputs: int, hidden: int, dropout: float) -> torch.nn.Sequential:
    return torch.nn.Sequential(
        torch.nn.Linear(inputs, hidden),
        torch.nn.ReLU(),
        torch.nn.Dropout(dropout),
        torch.nn.Linear(hidden, hidden),
        torch.nn.ReLU(),
    )


def _pooled(vectors: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """Mean and maximum over the chosen tokens; the vectors are not negative."""
    mask = chosen.unsqueeze(-1).to(torch.float32)
    kept = vectors * mask
    return torch.cat([kept.sum(dim=1) / mask.sum(dim=1).clamp(min=1.0), kept.amax(dim=1)], dim=-1)


SMALL_NETWORKS = {
    network.__name__: network for network in (ConvolutionOverPieces, DecomposableAttention, HashedNgrams)
}
