"""Values of task fields, and their form as text.

| type | value |
|---|---|
| string, multiclass | the text, the label |
| multilabel | the labels, sorted |
| span | `{"start", "end", "text"}`: Unicode code points `[start, end)` of a text, with the text they cover |
| probabilities | `{label: share}` |
| image | `{"image_id", "alt"}` |

Protobuf messages, columns of text and vote options hold value texts. Equal values have equal texts, so code that
only compares answers needs no types.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Value: TypeAlias = str | Sequence[str] | Mapping[str, Any]
Values: TypeAlias = Mapping[str, Value]
"""Values of fields by name."""


def to_text(value: Value) -> str:
    """Return a value as text: a text or label as it is, anything else as JSON with sorted keys and no spaces."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
