"""Queries and answers about single items of datasets that models are scored on."""

from typing import Any

from dynabench_api.evaluations import SampleAnswer, SuspectAnswer, VariantAnswer
from dynabench_common.http.schemas import Input, Text
from pydantic import Field

from scoring.evaluation.items import Item, Request
from scoring.evaluation.suspects import Suspect
from scoring.evaluation.variants import VARIANT_RULES
from scoring.service_layer.evaluations.look_at_items import Sample

MOST_SAMPLES = 20
LARGEST_SEED = 2**31 - 1


class SamplesQuery(Input):
    """Filters of samples."""

    number: int = Field(default=5, ge=1, le=MOST_SAMPLES)
    seed: int = Field(
        default=0, ge=0, le=LARGEST_SEED, description="Seed of the sample. Equal seeds give equal samples"
    )


class ItemQuery(Input):
    """The item to show."""

    id: Text = Field(max_length=200, description="Id of the item in the dataset")


def item_fields(item: Item) -> dict[str, Any]:
    """Return the fields of a ShownItem."""
    return {
        "id": item.item_id,
        "context": item.context,
        "input": item.input,
        "golds": item.golds,
        "tags": item.tags,
    }


def sample_answer(sample: Sample) -> SampleAnswer:
    """Return the answer about a sample."""
    return SampleAnswer.model_validate(
        {**item_fields(sample.item), "variants": [_variant_answer(request) for request in sample.variants]}
    )


def _variant_answer(request: Request) -> VariantAnswer:
    kind, _, name = request.rule.partition(":")
    return VariantAnswer(
        kind=kind,
        rule=name,
        summary=VARIANT_RULES[name].summary if name in VARIANT_RULES else "",
        context=request.context,
        input=request.input,
    )


def suspect_answer(suspect: Suspect, item: Item) -> SuspectAnswer:
    """Return the answer about a suspect."""
    return SuspectAnswer.model_validate(
        {**item_fields(item), "correlation": suspect.correlation, "right": suspect.right}
    )
