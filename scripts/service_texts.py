"""Texts that services write for people, read from their sources for the catalogues.

Each string of a source that has at least two words is such a text, unless it is for programs or operators: see
the names that begin with `UNREAD`. A template of a problem keeps its placeholders. In an f-string each expression
becomes a placeholder: `{names1}` for joined names, else `{value1}`.

So some texts of the catalogues appear on no page, which costs translators time. A list of those who write texts for
pages would cost readers more: a forgotten entry leaves a text in English.
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from web.kit.catalogues import PLACEHOLDER

ROOT = Path(__file__).resolve().parents[1]
# The pages and the records contribute no texts, nor do the command and the toolkit, which speak English alone. Of the
# SDK only the problems that it raises in place of a service are read.
LEFT_OUT = {"web", "events", "api", "client", "cli", "toolkit"}
# Modules whose texts no page shows: for operators, in mails (which have a catalogue), in data and its documents.
UNREAD_FILES = re.compile(
    r"/(database|telemetry)/|/(cli|db_safe|settings|bootstrap|\w*tables|figures|letters|digest_letter|page_headers)\.py$"
    r"|/(card|columns|record_schema|probes|writing|text_f1|file_shapes)\.py$"
)
SOURCES = tuple(
    path
    for path in (
        *sorted((ROOT / "services").glob("*/src/**/*.py")),
        # What the build of a submitted archive refuses.
        *sorted((ROOT / "model-archives" / "src" / "model_archives").glob("*.py")),
    )
    if (path.relative_to(ROOT).parts[1] not in LEFT_OUT and not UNREAD_FILES.search(path.as_posix()))
    or path.match("dynabench_client/errors.py")
    or path.match("dynabench_client/connection.py")
)
# Calls whose arguments no page shows: faults of programs, logs, metrics, SQL, and descriptions for OpenAPI.
UNREAD_CALLS = {
    *("AssertionError", "KeyError", "LookupError", "NotImplementedError", "OSError", "RuntimeError"),
    *("TypeError", "ValueError", "FileNotFoundError", "ConnectionError", "PermissionError"),
    *("debug", "info", "warning", "error", "exception", "print", "Counter", "Gauge", "Histogram"),
    *("cast", "compile", "execute", "text", "Field", "Header", "Path", "Query", "add_argument"),
}
UNREAD_ARGUMENTS = {"description", "summary", "help", "responses", "request_body"}
# Single words: the members of these classes, and an argument of these calls, by its position.
WORD_CLASSES = {"Permission", "RoundState", "VoteKind"}
WORD_ARGUMENTS = {"not_found": 0, "MissingAnswer": 1}
WORD = re.compile(r"[^\W\d_]{2,}")
LEAST_WORDS = 2
SEVERAL_WORDS = re.compile(r"[^\s\\]*\w[^\s\\]*( [^\s\\]+)+")
WAIT = "Try again in "


@dataclass(frozen=True)
class ServiceText:
    """A text with its place."""

    text: str
    path: str
    line: int


@cache
def service_texts(sources: tuple[Path, ...] = SOURCES) -> tuple[ServiceText, ...]:
    """Return the texts of these modules, each once."""
    found: dict[str, ServiceText] = {}
    for path in sources:
        reader = _Reader(ast.parse(path.read_text(encoding="utf-8")))
        for text, line in reader.texts:
            found.setdefault(text, ServiceText(text, path.relative_to(ROOT).as_posix(), line))
    return tuple(found.values())


class _Reader(ast.NodeVisitor):
    """Texts of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.texts: list[tuple[str, int]] = []
        self._joined = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and _is_join(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.visit(tree)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Skip a docstring."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Skip an argument that no page shows."""
        if node.arg not in UNREAD_ARGUMENTS:
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read the single words that a class names."""
        if node.name in WORD_CLASSES:
            self._add_words(each.value for each in node.body if isinstance(each, ast.Assign))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Skip a call whose texts no page shows."""
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in WORD_ARGUMENTS:
            self._add_words(node.args[WORD_ARGUMENTS[name] :][:1])
        if name not in UNREAD_CALLS:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Read a text, or a template with placeholders."""
        if isinstance(node.value, str):
            self._add(node.value if _is_template(node.value) else _escaped(node.value), node.lineno)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Read an f-string, and then what it is filled in with."""
        template, filled = "", 0
        for part in node.values:
            if isinstance(part, ast.Constant):
                template += _escaped(str(part.value))
            else:
                filled += 1
                template += f"{{{self._kind(part)}{filled}}}"
                self.visit(part)
        if is_recognisable(template):
            self._add(template, node.lineno)

    def _kind(self, part: ast.expr) -> str:
        value = getattr(part, "value", part)
        is_joined = _is_join(value) or (isinstance(value, ast.Name) and value.id in self._joined)
        return "names" if is_joined else "value"

    def _add_words(self, nodes: Iterable[ast.expr]) -> None:
        self.texts.extend((str(each.value), each.lineno) for each in nodes if isinstance(each, ast.Constant))

    def _add(self, text: str, line: int) -> None:
        """Add a text, also without its sentence about waiting, which pages count down themselves."""
        parts = (text, text.partition(WAIT)[0].strip()) if WAIT in text else (text,)
        self.texts.extend((each, line) for each in parts if SEVERAL_WORDS.fullmatch(each))


def _is_join(node: ast.expr) -> bool:
    """Return whether an expression is a list of names, joined."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "join"


def is_recognisable(template: str) -> bool:
    """Return whether a template has enough words of its own to be recognised with any parameters.

    It needs two words, and more words than placeholders: `{value1} of {value2}` would be found in a label "cause of
    death".
    """
    own = PLACEHOLDER.sub(" ", template)
    return len(WORD.findall(own)) >= max(LEAST_WORDS, len(PLACEHOLDER.findall(template)) + 1)


def _is_template(text: str) -> bool:
    """Return whether a text has placeholders and no other braces, as in JSON."""
    return bool(PLACEHOLDER.search(text)) and not re.search(
        r"[{}]", PLACEHOLDER.sub("", text.replace("{{", "").replace("}}", ""))
    )


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
