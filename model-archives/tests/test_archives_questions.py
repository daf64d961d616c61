"""Answers of extractive question answering: windows, offsets, the best span, explained starts and ends."""

import numpy as np
import pytest
from model_archives.base_encoders import MINILM, base_encoder_folder
from model_archives.handlers.extractive_qa import LONGEST_ANSWER, best_span
from model_archives.handlers.normalisation import normalise
from model_archives.handlers.onnx_predictor import Scores
from model_archives.handlers.tokenisation import TextTokenizer, our_reading
from model_archives.handlers.windows import PASSAGE, WindowedText, WindowTokenizer
from model_archives.training.statistics import exact_match, token_f1
from tiny_models import Served, serve, write_checkpoint_of

TOKENIZER = our_reading(base_encoder_folder(MINILM))
QUESTION = "Who built the bridge 🌉?"
MARKED = "The bridge 🌉 was built by Jose\u0301 Bauer 👩‍🚀 from Linz in 1894. "
FILLER = "Nothing of note happened in that long year, people say. "
LONG = FILLER * 12 + MARKED + FILLER * 15


@pytest.fixture(scope="module")
def tokenizer() -> WindowTokenizer:
    return WindowTokenizer(TOKENIZER, 64)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder = tmp_path_factory.mktemp("questions")
    return serve(write_checkpoint_of("extractive-qa", folder / "checkpoint"), folder, "extractive-qa", (), 64)


def test_windows_show_every_token_of_the_passage_once(tokenizer: WindowTokenizer) -> None:
    text = tokenizer.encode(LONG, QUESTION)
    whole = TextTokenizer(TOKENIZER, 4000).encode(LONG)
    assert len(text.windows) > 4
    assert all(len(window) <= 64 for window in text.windows)
    assert [token.span for token in text.passage] == [token.span for token in whole.tokens]
    for token in text.passage:
        (shown,) = [other for other in text.windows[token.window].tokens if other.position == token.position]
        assert (shown.field, shown.span) == (PASSAGE, token.span)


def test_tokens_are_read_where_they_have_surroundings(tokenizer: WindowTokenizer) -> None:
    text = tokenizer.encode(LONG, QUESTION)
    for token in text.passage[10:-10]:
        inside = [other.position for other in text.windows[token.window].tokens if other.field == PASSAGE]
        assert min(token.position - inside[0], inside[-1] - token.position) >= 8


def test_every_window_holds_the_whole_question(tokenizer: WindowTokenizer) -> None:
    for window in tokenizer.encode(LONG, QUESTION).windows:
        slices = [QUESTION[slice(*token.span)] for token in window.tokens if token.field != PASSAGE]
        assert list(dict.fromkeys(slices)) == ["Who", "built", "the", "bridge", "🌉", "?"]


def test_a_question_that_is_too_long_is_cut_and_marked(tokenizer: WindowTokenizer) -> None:
    text = tokenizer.encode(MARKED, "why 🌉 " * 200)
    assert text.truncated
    assert all(len(window) <= 64 for window in text.windows)
    assert not tokenizer.encode(LONG, QUESTION).truncated


@pytest.mark.parametrize("answer", ["Jose\u0301 Bauer", "🌉", "👩‍🚀", "1894", "bridge 🌉 was"])
def test_an_answer_in_code_points_is_found_among_the_tokens(tokenizer: WindowTokenizer, answer: str) -> None:
    text = tokenizer.encode(LONG, QUESTION)
    start = LONG.index(answer)
    covered = text.covering(start, start + len(answer))
    assert covered is not None
    first, last = covered
    assert LONG[text.passage[first].span[0] : text.passage[last].span[1]] == answer


def scores_for(text: WindowedText, starts: dict[int, float], ends: dict[int, float]) -> list[Scores]:
    """Scores of each window that favour the given passage tokens as start and end."""
    scores = [np.zeros((len(window), 2), dtype=np.float32) for window in text.windows]
    for side, chosen in enumerate((starts, ends)):
        for index, score in chosen.items():
            token = text.passage[index]
            scores[token.window][token.position, side] = score
    return scores


def test_the_best_answer_is_in_order_and_not_too_long(tokenizer: WindowTokenizer) -> None:
    text = tokenizer.encode(LONG, QUESTION)
    assert best_span(text, scores_for(text, {30: 9}, {33: 9}))[:2] == (30, 33)
    assert (
        best_span(text, scores_for(text, {33: 9}, {30: 9}))[0]
        <= best_span(text, scores_for(text, {33: 9}, {30: 9}))[1]
    )
    first, last, _ = best_span(text, scores_for(text, {10: 9}, {10 + LONGEST_ANSWER: 8}))
    assert last - first < LONGEST_ANSWER
    assert best_span(text, scores_for(text, {10: 9}, {9 + LONGEST_ANSWER: 8}))[:2] == (10, 9 + LONGEST_ANSWER)


def test_the_probability_of_an_answer_is_its_share_among_all_allowed_ones(tokenizer: WindowTokenizer) -> None:
    text = tokenizer.encode("one two", "what?")
    first, last, probability = best_span(text, scores_for(text, {0: np.log(3)}, {}))
    # one, one two, two with weights 3, 3 and 1
    assert (first, last) == (0, 0)
    assert probability == pytest.approx(3 / 7, abs=1e-6)


def test_scores_outside_the_passage_never_win(tokenizer: WindowTokenizer) -> None:
    text = tokenizer.encode(MARKED, QUESTION)
    scores = scores_for(text, {}, {})
    inside = {token.position for token in text.windows[0].tokens if token.field == PASSAGE}
    outside = [position for position in range(len(text.windows[0])) if position not in inside]
    scores[0][outside] = 99
    first, last, probability = best_span(text, scores)
    assert 0 <= first <= last < len(text.passage)
    assert probability < 0.5


def test_answers_are_slices_of_the_passage_as_sent(served: Served) -> None:
    for passage in (LONG, MARKED, normalise(LONG).normalised, "🌉", "e\u0301"):
        (answer,) = served.predict([{"passage": passage, "question": QUESTION}])
        assert answer["text"] == passage[answer["start"] : answer["end"]] != ""


def test_a_passage_without_anything_to_mark_is_an_error(served: Served) -> None:
    blank, good = served.predict(
        [{"passage": "\x07", "question": QUESTION}, {"passage": MARKED, "question": QUESTION}]
    )
    assert blank["error"]["type"] == "empty_text"
    assert good["text"]


def test_start_and_end_of_the_given_answer_are_explained(served: Served) -> None:
    start = LONG.index("Jose\u0301")
    answer = {"start": start, "end": start + len("Jose\u0301 Bauer")}
    instance = {"passage": LONG, "question": QUESTION, "answer": answer}
    asked = [instance | {"label": label} for label in ("start", "end")]
    explained = served.explain(asked, n_steps=20)
    assert [entry["label"] for entry in explained] == ["start", "end"]
    for entry, position in zip(explained, (answer["start"], answer["end"] - 1), strict=True):
        passage = [token for token in entry["tokens"] if token["field"] == "passage"]
        assert any(token["start"] <= position < token["end"] for token in passage)
        assert all(token["text"] == LONG[token["start"] : token["end"]] for token in passage)
        assert 0 < entry["probability"] < 1
    assert explained[0]["tokens"] != explained[1]["tokens"]


def test_the_predicted_answer_is_explained_by_default(served: Served) -> None:
    instance = {"passage": MARKED, "question": QUESTION}
    (predicted,) = served.predict([instance])
    given = {"start": predicted["start"], "end": predicted["end"]}
    default, spelled_out = served.explain(
        [instance, instance | {"answer": given, "label": "start"}], n_steps=2
    )
    assert default == spelled_out


@pytest.mark.parametrize(
    "answer",
    [
        {"start": 3},
        {"start": 5, "end": 5},
        {"start": -1, "end": 4},
        {"start": 0, "end": 999},
        "Linz",
        {"start": True, "end": 4},
        {"start": 3, "end": 4},
    ],
)
def test_an_answer_that_is_no_slice_is_refused(served: Served, answer: object) -> None:
    instance = {"passage": MARKED, "question": QUESTION, "answer": answer}
    (refused,) = served.explain([instance], n_steps=1)
    assert refused["error"]["type"] == "invalid_answer"


@pytest.mark.parametrize(
    ("answer", "golds", "exact", "f1"),
    [
        ("The Bridge!", ("a bridge",), True, 1.0),
        ("old stone bridge", ("bridge",), False, 0.5),
        ("Linz", ("Vienna", "in Linz"), False, 2 / 3),
        ("Graz", ("Linz",), False, 0.0),
        ("the", ("a",), True, 1.0),
    ],
)
def test_answers_are_compared_as_squad_does(
    answer: str, golds: tuple[str, ...], exact: bool, f1: float
) -> None:
    assert exact_match(answer, golds) is exact
    assert token_f1(answer, golds) == pytest.approx(f1)
