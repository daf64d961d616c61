"""The texts that services write for people, read from their sources for the catalogues.

A text is part of a problem (`PROBLEMS` below), under the problem's code, or an argument of one of `SPEAKERS`, such as a
reason or a remedy. A problem's template keeps its placeholders. In an f-string each filled-in piece becomes a
placeholder: `{names1}` for joined names, else `{value1}`.

A text without a code is recognised by its words alone, so one with too few of them around what is filled in is left
out (`is_recognisable`): `{value1} of {value2}` would be found in a label "cause of death". It stays English.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The pages and the records contribute no texts, nor do the command and the toolkit, which speak English alone. Of the
# SDK only the problems that it raises in place of a service are read.
LEFT_OUT = {"web", "events", "client", "cli", "toolkit"}
SOURCES = (
    *sorted(
        path
        for service in (ROOT / "services").iterdir()
        for path in service.glob("src/**/*.py")
        if service.name not in LEFT_OUT
        or (service.name == "client" and path.name in {"errors.py", "connection.py"})
    ),
    # What the build of a submitted archive refuses.
    *sorted((ROOT / "model-archives" / "src" / "model_archives").glob("*.py")),
)
SAID = "(said)"
ANYTHING = "*"
PLACEHOLDER = re.compile(r"(?<!\{)\{\w+[^{}]*\}")
WORD = re.compile(r"[^\W\d_]{2,}")
LEAST_WORDS = 2
WAIT = "Try again in "
# What makes problems, by the positions of its code and its texts.
PROBLEMS: Mapping[str, tuple[int, Sequence[int]]] = {
    "Problem": (1, (2, 3)),
    "refusal": (1, (2, 3)),
    "unavailable": (0, (1, 2)),
    "token_problem": (0, (1,)),
}
SPEAKERS = {
    *("InputRefused", "ConfigurationError", "Unfit", "TextProblem", "refuse", "_refuse", "not_found"),
    *("FieldRefused", "RequestRefused", "ReleaseRefused", "ExportRefused", "TargetUnfit", "Unavailable"),
    *("InspectionUnavailable", "PredictionFailed", "MissingAnswer", "ProblemError"),
    *("StepFailed", "ArchiveRefused", "Finding", "BuildFailed", "GiveUp", "Flaw"),
    *("_broken", "_escape", "_name_refused", "_bad_weights"),
    *(
        "Blocker",
        "Consequence",
        "Rate",
        "Coefficient",
        "Estimate",
        "BurnUp",
        "Evidence",
        "NoOffer",
        "Notice",
        "Metric",
    ),
}
# Speakers in the module that defines them, and not in others that use the name.
OWN_SPEAKERS = {"note", "_fail", "_breach", "_bad_description"}
# Exceptions whose message is a reason that people read.
MESSAGES = {
    *("SignatureRefused", "ArchiveUnusable", "StoreFull", "ObjectsAway", "ObjectUnusable"),
    *("ModelServerRefused", "ModelServerAway", "PoolAbsent", "BuildError", "NoScore"),
}
# Functions that return a reason.
RETURNED = {
    "misfit",
    "shape_problem",
    "_what_broke",
    "_lacks",
    "_why_not_done",
    "_why_failed",
    "why_not_ready",
    "described_archive",
}
# Attributes that hold one.
HELD_AS = {"reason", "failure"}
SAID_AS = {"wanted", "title", "reason", "remedy", "why", "text", "detail", "what", "undefined_reason"}
# Classes whose members are words that problems are filled in with.
WORDS = {"Permission", "RoundState", "VoteKind"}


@dataclass(frozen=True)
class ServiceText:
    """A text with the code that it belongs to, or `SAID`."""

    code: str
    text: str
    path: str
    line: int


@dataclass
class Found:
    """Texts, and the places whose texts can't be determined.

    `left_out` are those that could not be recognised by their words.
    """

    texts: list[ServiceText] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


@cache
def service_texts(sources: tuple[Path, ...] = SOURCES) -> Found:
    """Return what the services say."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources}
    everywhere: dict[str, list[str]] = {}
    for tree in trees.values():
        everywhere |= _signatures(tree, with_private=False)
    found = Found()
    for path, tree in trees.items():
        _Reader(path, trees, everywhere, found).visit(tree)
    found.left_out = sorted(set(found.left_out))
    found.texts = list({(each.code, each.text): each for each in found.texts}.values())
    return found


def _signatures(tree: ast.Module, *, with_private: bool) -> dict[str, list[str]]:
    """Return the names of the arguments of the speakers that a module defines."""
    signatures = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in SPEAKERS:
            signatures[node.name] = _fields(node)
        elif (
            isinstance(node, ast.FunctionDef)
            and node.name in SPEAKERS | OWN_SPEAKERS
            and (with_private or not (node.name.startswith("_") or node.name in OWN_SPEAKERS))
        ):
            signatures[node.name] = [each.arg for each in node.args.args if each.arg != "self"]
    return signatures


def _fields(node: ast.ClassDef) -> list[str]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return [argument.arg for argument in each.args.args[1:]]
    return [
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]


class _Reader(ast.NodeVisitor):
    """Collects the texts of one module."""

    def __init__(
        self,
        path: Path,
        trees: Mapping[Path, ast.Module],
        everywhere: Mapping[str, list[str]],
        found: Found,
    ) -> None:
        self._path = path
        self._trees = trees
        self._tree = trees[path]
        self._signatures = {**everywhere, **_signatures(self._tree, with_private=True)}
        self._found = found
        self._functions: list[ast.FunctionDef] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Read what a function says."""
        self._functions.append(node)
        if node.name in RETURNED:
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    self._say(SAID, each.value)
        self.generic_visit(node)
        self._functions.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read words that are members of a class."""
        if node.name in WORDS:
            for each in node.body:
                if isinstance(each, ast.Assign):
                    self._say(SAID, each.value)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Read a reason that is kept."""
        if any(isinstance(target, ast.Attribute) and target.attr in HELD_AS for target in node.targets):
            self._say(SAID, node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Read what a problem or a speaker is given."""
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in PROBLEMS and isinstance(node.func, ast.Name):
            code_at, texts_at = PROBLEMS[name]
            for code in self._codes(node.args[code_at]):
                for at in texts_at:
                    self._say(code, node.args[at], is_template=True)
                for each in node.keywords:
                    if each.arg == "remedy":
                        self._say(code, each.value, is_template=True)
        elif name in MESSAGES:
            for message in node.args[:1]:
                self._say(SAID, message)
        elif name in self._signatures:
            names = self._signatures[name]
            given = [
                *zip(names, node.args, strict=False),
                *((each.arg, each.value) for each in node.keywords),
            ]
            for argument, value in given:
                if argument in SAID_AS:
                    self._say(SAID, value)
        self.generic_visit(node)

    def _codes(self, node: ast.expr) -> list[str]:
        return [code for code, _line in self._values(node, is_plain=True)] or [ANYTHING]

    def _say(self, code: str, node: ast.expr, *, is_template: bool = False) -> None:
        place = self._path.relative_to(ROOT).as_posix()
        if is_template and isinstance(node, ast.JoinedStr):
            self._found.unreadable.append(f"{place}:{node.lineno}: fill it in by parameters")
            return
        values = self._values(node, is_plain=is_template)
        if not values and not self._is_passed_on(node, is_template):
            self._found.unreadable.append(f"{place}:{node.lineno}: {ast.unparse(node)[:60]}")
        for text, line in values:
            for each in (text, text.partition(WAIT)[0].strip() if WAIT in text else ""):
                if not any(character.isalpha() for character in _without_placeholders(each)):
                    continue
                if code == SAID and not is_recognisable(each):
                    self._found.left_out.append(each)
                    continue
                self._found.texts.append(ServiceText(code, each, place, line))

    def _values(self, node: ast.expr, *, is_plain: bool) -> list[tuple[str, int]]:
        """Return what an expression may say; nothing where that is decided elsewhere.

        Codes and templates are `plain`: they are taken as they stand.
        """
        match node:
            case ast.Constant(value=str(text)):
                return [(text if is_plain else _as_template(text), node.lineno)]
            case ast.JoinedStr():
                return [(self._shape(node, is_plain=is_plain), node.lineno)]
            case ast.IfExp():
                return [
                    *self._values(node.body, is_plain=is_plain),
                    *self._values(node.orelse, is_plain=is_plain),
                ]
            case ast.BoolOp():
                return [each for part in node.values for each in self._values(part, is_plain=is_plain)]
            case ast.Name(id=name):
                assigned = list(self._assigned(name))
                return [each for part in assigned for each in self._values(part, is_plain=is_plain)]
        return []

    def _assigned(self, name: str) -> Iterator[ast.expr]:
        """Yield what a name stands for: in the function around, else in the module, or in that which has it."""
        scopes: list[tuple[list[str], Iterable[ast.AST]]] = [
            ([each.arg for each in scope.args.args], list(ast.walk(scope)))
            for scope in reversed(self._functions)
        ]
        for arguments, nodes in (*scopes, ([], self._tree.body)):
            if name in arguments:
                return
            if values := _values_of(name, nodes):
                yield from values
                return
        yield from self._imported(name)

    def _imported(self, name: str) -> Iterator[ast.expr]:
        """Yield what a name stands for in the module that it is imported from."""
        for node in self._tree.body:
            if not isinstance(node, ast.ImportFrom) or name not in {each.name for each in node.names}:
                continue
            place = f"/src/{(node.module or '').replace('.', '/')}.py"
            for path, tree in self._trees.items():
                if path.as_posix().endswith(place):
                    yield from _values_of(name, tree.body)

    def _shape(self, node: ast.JoinedStr, *, is_plain: bool) -> str:
        """Return an f-string with a placeholder for each piece that is filled in."""
        written, pieces = "", 0
        for part in node.values:
            if isinstance(part, ast.Constant):
                written += str(part.value) if is_plain else _as_template(str(part.value))
            elif is_plain:
                written += ANYTHING
            else:
                pieces += 1
                kind = "names" if self._joins(getattr(part, "value", part)) else "value"
                written += f"{{{kind}{pieces}}}"
        return written

    def _joins(self, node: ast.expr) -> bool:
        """Tell whether an expression is a list of names, joined."""
        match node:
            case ast.Call(func=ast.Attribute(attr="join")):
                return True
            case ast.Name(id=name):
                return any(
                    self._joins(each) for each in self._assigned(name) if not isinstance(each, ast.Name)
                )
        return False

    def _is_passed_on(self, node: ast.expr, is_template: bool) -> bool:
        """Tell whether somebody else says it: an argument; and what is no template may come from anywhere."""
        if isinstance(node, ast.Constant):
            return True
        if not is_template:
            return not isinstance(node, ast.BinOp)
        arguments = [
            each.arg for scope in self._functions for each in (*scope.args.args, *scope.args.kwonlyargs)
        ]
        return isinstance(node, ast.Name) and node.id in arguments


def _values_of(name: str, nodes: Iterable[ast.AST]) -> list[ast.expr]:
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]


def is_recognisable(text: str) -> bool:
    """Tell whether a text has enough words of its own to be recognised with any parameters.

    It needs two words of its own, and more words than placeholders; without placeholders it is compared as it stands.
    """
    placeholders = len(PLACEHOLDER.findall(text))
    words = WORD.findall(PLACEHOLDER.sub(" ", text))
    return not placeholders or len(words) >= max(LEAST_WORDS, placeholders + 1)


def _as_template(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _without_placeholders(text: str) -> str:
    return "".join(piece.partition("}")[2] if at else piece for at, piece in enumerate(text.split("{")))
