"""Weights that people keep, frozen boards, and what of a board stands on pages of others."""

import json
import re

import pytest
import yaml
from web.kit import pictures
from web_fake_model_board import SHA256, SNAPSHOT_ID, VIEW_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

BOARD = "/tasks/sentiment/board"


def test_saved_weights_are_listed_and_their_link_leads_to_the_board(visitor: Visitor) -> None:
    page = visitor.get(BOARD).text
    assert "small &lt;b&gt;devices&lt;/b&gt;" in page
    assert "/deletion" not in page
    assert "Sign in</a> to save weights" in page
    lead = visitor.get(f"{BOARD}/views/{VIEW_ID}")
    assert lead.status_code == 303
    assert lead.headers["Location"] == f"{BOARD}?w_memory=3&d_sentiment-round-2=2&gamma=0.8&mode=utility"


def test_weights_are_saved_and_deleted_with_forms(ada: Visitor, fake: FakePlatform) -> None:
    assert f"{BOARD}/views/{VIEW_ID}/deletion" in ada.get(BOARD).text
    saved = ada.post(f"{BOARD}/views", name="edge", w_memory="3", gamma="0.8")
    assert saved.status_code == 303
    assert "w_memory=3" in saved.headers["Location"]
    assert "are saved" in ada.get(saved.headers["Location"]).text
    refused = ada.post(f"{BOARD}/views", name="taken")
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text
    assert ada.post(f"{BOARD}/views/{VIEW_ID}/deletion").status_code == 303


def test_strangers_keep_nothing(visitor: Visitor) -> None:
    for path in ("views", "snapshots", f"views/{VIEW_ID}/deletion"):
        assert visitor.post(f"{BOARD}/{path}", name="x").status_code == 401


def test_a_board_is_frozen_and_cited(ada: Visitor) -> None:
    made = ada.post(f"{BOARD}/snapshots", w_performance="1")
    assert made.headers["Location"] == f"{BOARD}/snapshots/{SNAPSHOT_ID}?notice=board-frozen"
    page = ada.get(f"{BOARD}/snapshots/{SNAPSHOT_ID}").text
    for words in (SHA256, "@misc{dynabench-sentiment-abababababab,", "roberta-adv-v2", "never changes"):
        assert words in page, words
    assert ada.get(f"/tasks/nli/board/snapshots/{SNAPSHOT_ID}").status_code == 404


def test_the_widget_alone_may_be_framed_by_others(visitor: Visitor) -> None:
    widget = visitor.get(f"{BOARD}/widget?w_performance=1")
    assert "frame-ancestors *" in widget.headers["Content-Security-Policy"]
    assert "script-src" not in widget.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in widget.headers
    assert "roberta-adv-v2" in widget.text
    assert "()" not in widget.text
    assert re.search(r"<h1>.*Sentiment.* · Models ranked</h1>", widget.text)
    sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', widget.text)
    assert sheets
    assert {visitor.get(sheet).content_type.partition(";")[0] for sheet in sheets} == {"text/css"}
    assert "deberta-mix-v1" not in widget.text
    assert "<script" not in widget.text
    for path in (BOARD, f"{BOARD}/snapshots/{SNAPSHOT_ID}", "/"):
        page = visitor.get(path)
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert page.headers["X-Frame-Options"] == "DENY"
    assert "No model is ranked yet" in visitor.get("/tasks/nli/board/widget").text


def test_a_badge_says_model_places_score_and_day(visitor: Visitor) -> None:
    badge = visitor.get(f"{BOARD}/badges/roberta-adv-v2.svg")
    assert badge.headers["Content-Type"].startswith("image/svg+xml")
    assert badge.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "place 1–2 · 79.0 · 2026-01-05" in badge.text
    assert "not ranked · 2026-01-05" in visitor.get(f"{BOARD}/badges/tiny-x-v1.svg").text
    assert visitor.get(f"{BOARD}/badges/nobody.svg").status_code == 404
    assert visitor.get(f"{BOARD}/badges/deberta-mix-v1.svg").status_code == 404


def test_a_board_as_files(visitor: Visitor) -> None:
    latex = visitor.get(f"{BOARD}.tex?w_performance=1")
    assert "\\begin{tabular}" in latex.text
    assert "attachment" in latex.headers["Content-Disposition"]
    (first, second) = yaml.safe_load(visitor.get(f"{BOARD}/hub/roberta-adv-v2.yaml?owner=org").text)
    assert first["dataset"] == {"id": "org/sentiment-round-1", "task_id": "sentiment-round-1"}
    assert second["value"] == 71.0
    benchmark = yaml.safe_load(visitor.get(f"{BOARD}/benchmarks/sentiment-round-2/eval.yaml").text)
    assert benchmark["tasks"][0]["field_spec"]["target"] == "label"


@pytest.mark.parametrize("path", ["hub/nobody.yaml", "benchmarks/nowhere/eval.yaml"])
def test_files_of_nothing_are_not_found(path: str, visitor: Visitor) -> None:
    assert visitor.get(f"{BOARD}/{path}").status_code == 404


def test_the_picture_shows_public_models_under_the_task_s_own_weights(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(shown: str) -> bytes:
        drawn.append(shown)
        return b"PNG"

    monkeypatch.setattr(pictures, "_drawn", draw)
    answer = visitor.get(f"{BOARD}/picture.png?w_memory=3")
    assert answer.content_type == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    (shown,) = map(json.loads, drawn)
    assert shown["heading"]["words"] == "Models ranked"
    names = [bar["name"]["words"] for bar in shown["bars"]]
    assert "roberta-adv-v2" in names
    assert "deberta-mix-v1" not in names
    assert all(0 <= bar["low"] <= bar["at"] <= bar["high"] <= 1 for bar in shown["bars"])
    assert f'property="og:image" content="http://localhost{BOARD}/picture.png"' in visitor.get(BOARD).text
    visitor.get("/tasks/nli/board/picture.png")
    assert json.loads(drawn[-1])["text"]["words"] == "No model is ranked yet."
