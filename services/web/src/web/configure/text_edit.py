"""Changes of single values in the YAML text of a configuration; the rest stays unchanged.

Comments, the order of keys, quotes and line breaks belong to the author of the text. So a text is never rewritten as
a whole: only the changed values are replaced at their positions. The result is parsed again before it is returned. If
a part does not have the wanted value, only that part is rewritten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from dynabench_tasks.configuration.yaml_text import UnusableYaml, parse_yaml

from web.configure.yaml_words import block_lines, flow_words, list_lines, value_words


class NotEditable(Exception):
    """A refusal of texts that are not a mapping, or in which single values can't be changed."""


@dataclass(frozen=True)
class Edit:
    """Replacement of the code points `[start, end)` of a text."""

    start: int
    end: int
    words: str


def with_values(text: str, wanted: Mapping[str, Any]) -> str:
    """Return a text with the content `wanted` that differs from `text` in nothing else.

    `wanted` is the whole document. Raises UnusableYaml for an unreadable text. Raises NotEditable for a text that is
    not a mapping, and for values that YAML can't represent.
    """
    parsed = parse_yaml(text)
    if parsed.root is None:
        return text + ("\n" if text and not text.endswith("\n") else "") + block_lines(dict(wanted), 0)
    if not isinstance(parsed.root, yaml.MappingNode) or not isinstance(parsed.document, dict):
        raise NotEditable
    changed = _applied(text, _Editor(text).value(parsed.root, parsed.document, dict(wanted)))
    if _says(changed, wanted):
        return changed
    return _key_by_key(text, parsed.root, parsed.document, wanted)


def same(one: Any, other: Any) -> bool:
    """Return whether two values of a document are the same; 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def aligned(old: Sequence[Any], new: Sequence[Any]) -> list[int | None]:
    """Return for each new entry of a list the position of its old one, None for an added entry.

    Equal entries match first, then entries with the same name, then entries at the same position.
    """
    found: list[int | None] = [None] * len(new)
    left = list(range(len(old)))

    def match(belong: Any) -> None:
        for position, entry in enumerate(new):
            if found[position] is None:
                found[position] = next((each for each in left if belong(each, position, entry)), None)
                if found[position] is not None:
                    left.remove(found[position])  # type: ignore[arg-type]

    match(lambda each, _, entry: same(old[each], entry))
    match(lambda each, _, entry: _name_of(entry) is not None and _name_of(old[each]) == _name_of(entry))
    match(lambda each, position, entry: each == position and _is_alike(old[each], entry))
    return found


def _name_of(entry: Any) -> str | None:
    name = entry.get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else None


def _is_alike(one: Any, other: Any) -> bool:
    return isinstance(one, dict) == isinstance(other, dict) and isinstance(one, list) == isinstance(
        other, list
    )


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return same(parse_yaml(text).document, dict(wanted))
    except UnusableYaml:
        return False


def _key_by_key(
    text: str, root: yaml.MappingNode, document: Mapping[str, Any], wanted: Mapping[str, Any]
) -> str:
    """Return the text with every changed value rewritten."""
    if root.flow_style:
        return block_lines(dict(wanted), 0)
    editor = _Editor(text)
    edits = [
        editor.anew(key, value, wanted[key.value], 0)
        for key, value in root.value
        if key.value in wanted and not same(document[key.value], wanted[key.value])
    ]
    edits += editor.keys_gone(root, [key for key in document if key not in wanted])
    edits += editor.keys_added(root, {key: value for key, value in wanted.items() if key not in document}, 0)
    changed = _applied(text, edits)
    if not _says(changed, wanted):
        raise NotEditable
    return changed


def _applied(text: str, edits: Sequence[Edit], start: int = 0, end: int | None = None) -> str:
    """Return the text from `start` to `end` with the edits made in it."""
    end = len(text) if end is None else end
    pieces, reached = [], start
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        pieces += [text[reached : edit.start], edit.words]
        reached = edit.end
    return "".join([*pieces, text[reached:end]])


class _Editor:
    """Search for the edits in a text; `column` is that of the keys or dashes around a value."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, node: yaml.Node, old: Any, new: Any) -> list[Edit]:
        """Return the edits that change a value to `new` of the same kind, if that takes less than rewriting it."""
        if same(old, new):
            return []
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, old, new)
        if isinstance(node, yaml.SequenceNode) and not node.flow_style:
            return self._list(node, old, new)
        return [Edit(node.start_mark.index, self.end(node), flow_words(new))]

    def _mapping(self, node: yaml.MappingNode, old: Any, new: Any) -> list[Edit]:
        gone = [key for key in old if key not in new]
        added = {key: value for key, value in new.items() if key not in old}
        if node.flow_style and gone:
            return [Edit(node.start_mark.index, self.end(node), flow_words(new))]
        column, edits = self._column(node), []
        for key, value in node.value:
            if key.value in new and not same(old[key.value], new[key.value]):
                edits += self._entry(node, key, value, (old[key.value], new[key.value]), column)
        return [*edits, *self.keys_gone(node, gone), *self.keys_added(node, added, column)]

    def _entry(
        self, node: yaml.MappingNode, key: yaml.Node, value: yaml.Node, change: tuple[Any, Any], column: int
    ) -> list[Edit]:
        old, new = change
        is_inside = (isinstance(old, dict) and isinstance(new, dict) and bool(new)) or (
            isinstance(old, list) and isinstance(new, list) and bool(new)
        )
        if is_inside:
            return self.value(value, old, new)
        if node.flow_style:
            start, end = value.start_mark.index, self.end(value)
            return [Edit(start, end, (" " if start == end else "") + flow_words(new))]
        return [self.anew(key, value, new, column)]

    def anew(self, key: yaml.Node, value: yaml.Node, new: Any, column: int) -> Edit:
        """Return the edits that rewrite the value of a key in a block; a comment after it stays."""
        start = self._text.index(":", key.end_mark.index) + 1
        end = max(start, self.end(value))
        style = getattr(value, "style", None)
        return self._slot(start, end, new, column, style)

    def _slot(self, start: int, end: int, new: Any, column: int, style: str | None) -> Edit:
        head, body = value_words(new, column, style)
        if not body:
            return Edit(start, end, f" {head}")
        line_end = self._line_end(end)
        comment = self._text[end:line_end].strip()
        said = f" {head}" if head else ""
        if comment.startswith("#"):
            return Edit(start, line_end, f"{said}  {comment}\n{body}")
        return Edit(start, end, f"{said}\n{body}")

    def keys_gone(self, node: yaml.MappingNode, gone: Sequence[str]) -> list[Edit]:
        """Return the edits that remove keys from a block; comments above them stay."""
        edits = []
        entries = node.value
        for position, (key, value) in enumerate(entries):
            if key.value not in gone:
                continue
            start = key.start_mark.index
            if position + 1 < len(entries) and self._text[self._line_start(start) : start].strip():
                # Behind a dash: the next key takes its place.
                edits.append(Edit(start, entries[position + 1][0].start_mark.index, ""))
                continue
            end = self._line_end(self.end(value))
            edits.append(Edit(self._line_start(start), min(end + 1, len(self._text)), ""))
        return edits

    def keys_added(self, node: yaml.MappingNode, added: Mapping[str, Any], column: int) -> list[Edit]:
        """Return the edits that append keys to a mapping."""
        if not added:
            return []
        if not node.value:
            return [Edit(node.start_mark.index, self.end(node), flow_words(dict(added)))]
        last = self.end(node.value[-1][1])
        last = max(last, self._text.index(":", node.value[-1][0].end_mark.index) + 1)
        if node.flow_style:
            words = "".join(f", {flow_words({key: value})[1:-1]}" for key, value in added.items())
            return [Edit(last, last, words)]
        end = self._line_end(last)
        return [Edit(end, end, "\n" + block_lines(dict(added), column).rstrip("\n"))]

    def _list(self, node: yaml.SequenceNode, old: Any, new: Any) -> list[Edit]:
        """Return the edits that reorder the entries of a block list, with the comments above them."""
        starts = [self._entry_start(each) for each in node.value]
        column = self._dash_column(node)
        if column is None or not starts:
            return [Edit(node.start_mark.index, self.end(node), flow_words(new))]
        finish = self._line_end(self.end(node.value[-1]))
        bounds = [*starts, min(finish + 1, len(self._text))]
        pieces = []
        for position, origin in enumerate(aligned(old, new)):
            if origin is None:
                piece = list_lines([new[position]], column)
            else:
                child = node.value[origin]
                edits = self._item(child, old[origin], new[position], column)
                piece = _applied(self._text, edits, bounds[origin], bounds[origin + 1])
            pieces.append(piece if piece.endswith("\n") else piece + "\n")
        return [Edit(bounds[0], bounds[-1], "".join(pieces))]

    def _item(self, child: yaml.Node, old: Any, new: Any, column: int) -> list[Edit]:
        if same(old, new):
            return []
        is_inside = type(old) is type(new) and isinstance(new, dict | list) and bool(new)
        if is_inside:
            return self.value(child, old, new)
        dash = child.start_mark.index
        start = self._text.rindex("-", self._line_start(dash), max(dash, 1)) + 1
        return [self._slot(start, max(start, self.end(child)), new, column, getattr(child, "style", None))]

    def _entry_start(self, child: yaml.Node) -> int:
        """Return the start of an entry's line, or of the comments directly above it."""
        start = self._line_start(child.start_mark.index)
        while start > 0:
            above = self._line_start(start - 1)
            if not self._text[above : start - 1].lstrip().startswith("#"):
                break
            start = above
        return start

    def _dash_column(self, node: yaml.SequenceNode) -> int | None:
        """Return the column of the dashes; None unless each dash is first in its line."""
        columns = set()
        for child in node.value:
            start = self._line_start(child.start_mark.index)
            before = self._text[start : child.start_mark.index]
            is_plain = before.strip() == "-" and "\t" not in before
            columns.add(before.index("-") if is_plain else None)
        return columns.pop() if len(columns) == 1 else None

    def _column(self, node: yaml.MappingNode) -> int:
        return int(node.value[0][0].start_mark.column) if node.value else 0

    def end(self, node: yaml.Node) -> int:
        """Return the end of a value, without the blank lines and comments below it."""
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            if isinstance(last, tuple):
                behind_key = self._text.index(":", last[0].end_mark.index) + 1
                return max(behind_key, self.end(last[1]))
            return self.end(last)
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            return int(start + len(self._text[start:end].rstrip()))
        return int(end)

    def _line_start(self, index: int) -> int:
        return self._text.rfind("\n", 0, index) + 1

    def _line_end(self, index: int) -> int:
        found = self._text.find("\n", index)
        return len(self._text) if found < 0 else found
