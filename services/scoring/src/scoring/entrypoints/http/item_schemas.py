"""Queries and answers about single items of datasets that models are scored on."""

from typing import Any, Self
from uuid import UUID

from dynabench_common.schemas import Input, Text
from pydantic import BaseModel, Field, JsonValue

from scoring.evaluation.items import Item
from scoring.evaluation.suspects import MOST_SUSPECTS, Suspect
from scoring.evaluation.variants import VARIANT_RULES
from scoring.service_layer.evaluations.look_at_items import Sample

MOST_SAMPLES = 20
LARGEST_SEED = 2**31 - 1


class SamplesQuery(Input):
    """Which samples to show."""

    number: int = Field(default=5, ge=1, le=MOST_SAMPLES)
    seed: int = Field(
        default=0, ge=0, le=LARGEST_SEED, description="Draws the items; the same one the same items"
    )


class ItemQuery(Input):
    """Which item to show."""

    id: Text = Field(max_length=200, description="The item's id in the dataset")


class ShownItem(BaseModel):
    """An item; every one of `golds` is right."""

    id: str
    context: dict[str, JsonValue]
    input: dict[str, JsonValue]
    golds: list[JsonValue]
    tags: list[str]

    @classmethod
    def of(cls, item: Item, **rest: Any) -> Self:
        """Return the answer about an item."""
        return cls.model_validate(
            {
                "id": item.item_id,
                "context": dict(item.context),
                "input": dict(item.input),
                "golds": list(item.golds),
                "tags": list(item.tags),
                **rest,
            }
        )


class VariantAnswer(BaseModel):
    """A variant of an item, whose answer should be that to the item."""

    kind: str = Field(description="fairness or robustness")
    rule: str
    summary: str = Field(description="What the rule does")
    context: dict[str, JsonValue]
    input: dict[str, JsonValue]


class SampleAnswer(ShownItem):
    """An item with the variants that are made of it."""

    variants: list[VariantAnswer]

    @classmethod
    def of_sample(cls, sample: Sample) -> Self:
        """Return the answer about a sample."""
        found = []
        for request in sample.variants:
            kind, _, name = request.rule.partition(":")
            summary = VARIANT_RULES[name].summary if name in VARIANT_RULES else ""
            found.append(
                VariantAnswer(
                    kind=kind,
                    rule=name,
                    summary=summary,
                    context=dict(request.context),
                    input=dict(request.input),
                )
            )
        return cls.of(sample.item, variants=found)


class SamplesAnswer(BaseModel):
    """Items that have variants, drawn by the seed."""

    dataset_id: UUID
    seed: int
    items: list[SampleAnswer]


class AnswerToItem(BaseModel):
    """What a model answers to an item."""

    model: str
    evaluation_id: UUID
    prediction_only: bool
    answer: str | None = Field(description="As a value text; null where there is none that can be used")
    right: bool
    failed: str | None = Field(description="Why there is no usable answer")


class AnsweredItemAnswer(ShownItem):
    """An item, and what each model answers that was scored on it; of at most 100 models."""

    answers: list[AnswerToItem]


class SuspectAnswer(ShownItem):
    """An item that better models get wrong more often than worse ones."""

    correlation: float = Field(
        description="Point-biserial, over models: being right on it, and the share of right answers on all others"
    )
    right: int = Field(description="Models that are right on it")

    @classmethod
    def of_suspect(cls, suspect: Suspect, item: Item) -> Self:
        """Return the answer about a suspect."""
        return cls.of(item, correlation=suspect.correlation, right=suspect.right)


class SuspectsAnswer(BaseModel):
    """Items whose label may be wrong: evidence, not a verdict."""

    dataset_id: UUID
    models: list[str] = Field(
        description="Models that count: served ones, equal ones once; predictions made elsewhere do not count"
    )
    fewest_models: int = Field(description="With fewer nothing is listed")
    measured: int = Field(
        description="Items that have a correlation: not all models are right on them, nor all wrong"
    )
    below: int = Field(description="Of those, items below 0")
    items: list[SuspectAnswer] = Field(description=f"The lowest {MOST_SUSPECTS} below 0, the lowest first")
