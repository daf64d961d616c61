"""Values as YAML: in one line, or as a block with the layout of the shipped task files."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

STEP = 2
LONGEST_LINE = 110
WIDE = 1_000_000
"""A width so large that the dumper breaks no line; this module breaks lines itself."""
QUOTES = ("'", '"')


class _Dumper(yaml.SafeDumper):
    """A dumper that indents lists within mappings, and repeats values instead of using references."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        """Indent lists even if YAML permits no indentation (`indentless`)."""
        return super().increase_indent(flow, indentless and flow)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the name and shape that the dumper calls
        """Return True, because configurations may not have references."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None
    if "\n" in text:
        # Blank lines at the end of a text would run into what stands below it.
        style = '"' if text.endswith("\n\n") or not text.strip() else "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _entries(dumper: yaml.SafeDumper, entries: list[Any]) -> yaml.SequenceNode:
    is_plain = all(not isinstance(each, dict | list) and "\n" not in str(each) for each in entries)
    is_short = is_plain and sum(len(str(each)) + 2 for each in entries) < LONGEST_LINE - 20
    return dumper.represent_sequence("tag:yaml.org,2002:seq", entries, flow_style=is_short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _entries)


def flow_words(value: Any) -> str:
    """Return a value in one line, valid within brackets."""
    written: str = yaml.safe_dump(
        [value], default_flow_style=True, allow_unicode=True, width=WIDE, sort_keys=False
    )
    return written.strip()[1:-1].strip()


def block_lines(value: Mapping[str, Any], column: int) -> str:
    """Return a mapping as block lines that begin in this column, each with its line end."""
    written: str = yaml.dump(
        dict(value),
        Dumper=_Dumper,
        default_flow_style=False,
        allow_unicode=True,
        width=WIDE,
        sort_keys=False,
        indent=STEP,
    )
    return "".join(
        " " * column + line if line.strip() else line for line in written.splitlines(keepends=True)
    )


def list_lines(entries: Sequence[Any], column: int) -> str:
    """Return entries of a list as block lines with dashes in this column."""
    lines = []
    for entry in entries:
        if isinstance(entry, dict) and entry:
            lines.append(" " * column + "- " + block_lines(entry, column + STEP).lstrip(" "))
        else:
            head, body = value_words(entry, column)
            lines.append(" " * column + f"- {head}".rstrip() + "\n" + (f"{body}\n" if body else ""))
    return "".join(lines)


def value_words(value: Any, column: int, style: str | None = None) -> tuple[str, str]:
    """Return the text of a value after its key: the rest of the key's line, and the lines below, if any.

    `column` is that of the key, `style` the value's earlier style: quotes stay, and a long text is folded.
    """
    if isinstance(value, str) and "\n" not in value:
        if style in QUOTES:
            quoted: str = yaml.safe_dump(value, default_style=style, allow_unicode=True, width=WIDE)
            return quoted.strip(), ""
        if len(value) > LONGEST_LINE and value.split(" ") == value.split() and value.isprintable():
            lines = textwrap.wrap(
                value, LONGEST_LINE - column, break_long_words=False, break_on_hyphens=False
            )
            return ">-", "\n".join(" " * (column + STEP) + line for line in lines)
    written = block_lines({"k": value}, column).lstrip(" ").removeprefix("k:")
    head, _, body = written.partition("\n")
    return head.strip(), body.removesuffix("\n")
