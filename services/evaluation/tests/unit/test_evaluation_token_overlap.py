"""Answers that are texts: each metric by its own rule, best over golds."""

import numpy as np
import pytest
from evaluation.domain.items import Item
from evaluation.domain.metrics import Answered, metrics_of
from evaluation.domain.report import report

NAMES = ("exact_match", "squad_f1", "text_f1")


def answered(languages: tuple[str, ...]) -> Answered:
    items = [Item("1", {}, {}, ("京都", "東京都"), "1"), Item("2", {}, {}, ("-5",), "2", ("signs",))]
    return Answered(items, ["京都大学", "5"], (), np.arange(2), (), languages)


@pytest.mark.parametrize(
    ("languages", "text_f1"), [(("ja",), 100 * (2 * 2 / 6) / 2), (("en",), 0.0), (("en", "zh"), 100 / 3)]
)
def test_a_metric_of_texts_follows_its_rule_and_the_languages(
    languages: tuple[str, ...], text_f1: float
) -> None:
    found = metrics_of(NAMES, answered(languages))
    assert [found[name].value for name in NAMES] == pytest.approx([50.0, 50.0, text_f1])
    by_tag = report(answered(languages), NAMES, "text_f1").slices
    assert [(each["metric"], each["value"]) for each in by_tag] == [("text_f1", 0.0)]
