"""Examples as the model reads them, by the very tokenizers that serve it."""

from collections.abc import Iterator, Sequence

from model_archives.base_encoders import base_encoder_folder
from model_archives.handlers.ngrams import NgramReader
from model_archives.handlers.reading import TextReader
from model_archives.handlers.tokenisation import TextTokenizer, our_reading
from model_archives.handlers.windows import PASSAGE, WindowedText, WindowTokenizer
from model_archives.training.examples import LabelledText, Question
from model_archives.training.fitting import FittingExample
from model_archives.training.recipe import Recipe


def encoded_texts(recipe: Recipe, examples: Sequence[LabelledText]) -> list[FittingExample]:
    """The target is the index of the label."""
    reader = _reader(recipe)
    return [
        FittingExample(reader.encode(*example.texts), (recipe.labels.index(example.labels[0]),))
        for example in examples
    ]


def encoded_label_sets(recipe: Recipe, examples: Sequence[LabelledText]) -> list[FittingExample]:
    """The target is 1 for each label that applies and 0 for the others."""
    reader = _reader(recipe)
    return [
        FittingExample(
            reader.encode(*example.texts), tuple(float(label in example.labels) for label in recipe.labels)
        )
        for example in examples
    ]


def encoded_questions(recipe: Recipe, examples: Sequence[Question]) -> list[FittingExample]:
    """One for every window that holds the whole answer; the target is its first and last position there."""
    tokenizer = WindowTokenizer(our_reading(base_encoder_folder(recipe.base)), recipe.training.max_tokens)
    return [
        fitting
        for example in examples
        for fitting in _answered_windows(tokenizer.encode(example.passage, example.question), example)
    ]


def _reader(recipe: Recipe) -> TextReader:
    if recipe.features:
        return NgramReader(recipe.features["kind"], recipe.features["buckets"], recipe.training.max_tokens)
    return TextTokenizer(our_reading(base_encoder_folder(recipe.base)), recipe.training.max_tokens)


def _answered_windows(text: WindowedText, example: Question) -> Iterator[FittingExample]:
    first, last = text.covering(example.start, example.end) or (0, -1)
    for window in text.windows:
        positions = [
            token.position
            for token in window.tokens
            if token.field == PASSAGE and token.span[0] < example.end and token.span[1] > example.start
        ]
        if positions and len(positions) == last - first + 1:
            yield FittingExample(window, (positions[0], positions[-1]))
