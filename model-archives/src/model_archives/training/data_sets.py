"""The data sets that recipes name, and their split."""

from collections.abc import Callable, Sequence

from model_archives.errors import BuildError
from model_archives.training.examples import LabelledText, Question, split_held_out
from model_archives.training.hate_data import hatemoji_and_stormfront
from model_archives.training.made_sentences import made_sentences
from model_archives.training.nli_data import snli
from model_archives.training.qa_data import squad
from model_archives.training.recipe import Recipe
from model_archives.training.sentiment_data import sst_train
from model_archives.training.topics_data import topics

Examples = Sequence[LabelledText | Question]
TRAINING_SETS: dict[str, Callable[[], Examples]] = {
    "hatemoji-and-stormfront": hatemoji_and_stormfront,
    "made-sentences": made_sentences,
    "snli": snli,
    "squad": squad,
    "sst": sst_train,
    "topics": topics,
}


def split_recipe_data(recipe: Recipe) -> tuple[Examples, Examples]:
    """(trained on, held out) by the recipe; raises BuildError where its data set is unknown."""
    training = recipe.training
    if training.data not in TRAINING_SETS:
        known = ", ".join(TRAINING_SETS)
        raise BuildError(f"{recipe.folder}: no training set {training.data!r}; known: {known}")
    return split_held_out(TRAINING_SETS[training.data](), training.held_out_share, training.seed)
