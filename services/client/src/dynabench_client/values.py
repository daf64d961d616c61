"""Values of task fields, as the interfaces carry them.

| type | value |
|---|---|
| string, multiclass | the text, the label |
| multilabel | the labels, sorted |
| span | `{"start", "end", "text"}`: Unicode code points `[start, end)` of a text, with the text they cover |
| probabilities | `{label: share}` |
| image | `{"image_id", "alt"}` |
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Value: TypeAlias = str | Sequence[str] | Mapping[str, Any]
Values: TypeAlias = Mapping[str, Value]
