"""Print the size of the code and counts of its texts, for tracked files.

A count is a comparison between two commits, not a target: run it before and after a change.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

RECORD_BASES = frozenset({"BaseModel", "NamedTuple", "TypedDict"})
SMALL_MODULE_LINES = 35
LONG_SENTENCE_WORDS = 38
CLAUSES = ("Who", "What", "How", "Whether", "Where", "When")
COINED = ("told", "beside", "apart", "in hand", "hang on")
SCALAR_OF_A_TRY = "hint_shown"
WALKS = ("docs/the-way-of-a-try.md", "docs/the-way-of-a-vote.md")


@dataclass(frozen=True)
class Module:
    """A Python module of the project."""

    path: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        """Return its number of lines."""
        return self.text.count("\n")

    @property
    def is_test(self) -> bool:
        """Return whether it is in a folder of tests or a set-up module of pytest."""
        return "tests" in Path(self.path).parts or self.path.endswith("conftest.py")


def tracked(*patterns: str) -> list[str]:
    """Return the paths that git tracks and that still exist."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *patterns], capture_output=True, text=True, check=True
    ).stdout
    return [path for path in listed.splitlines() if Path(path).is_file()]


def read_modules() -> list[Module]:
    """Return every tracked Python module, parsed."""
    texts = {path: Path(path).read_text(encoding="utf-8") for path in tracked("*.py")}
    return [Module(path, text, ast.parse(text)) for path, text in texts.items()]


def classes(modules: Iterable[Module]) -> Iterator[ast.ClassDef]:
    """Yield every class."""
    for module in modules:
        yield from (node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef))


def name_of(node: ast.expr) -> str:
    """Return the last name of an expression such as `a.B[C](d)`."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    if isinstance(node, ast.Subscript):
        return name_of(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def records(found: Iterable[ast.ClassDef]) -> list[ast.ClassDef]:
    """Return dataclasses, named tuples, typed dictionaries, pydantic models, and their subclasses."""
    everything, known = list(found), set(RECORD_BASES)
    while True:
        new = {each.name for each in everything if known & {name_of(base) for base in each.bases}} - known
        if not new:
            break
        known |= new
    return [
        each
        for each in everything
        if each.name in known or "dataclass" in {name_of(decorator) for decorator in each.decorator_list}
    ]


def loops(found: Iterable[ast.ClassDef]) -> int:
    """Count classes with a method `run(self, stop)`: background loops."""
    methods = (method for each in found for method in each.body if isinstance(method, ast.FunctionDef))
    return sum(
        method.name == "run" and [each.arg for each in method.args.args] == ["self", "stop"]
        for method in methods
    )


def verbs(modules: Iterable[Module]) -> int:
    """Count the commands of the command line."""
    functions = (
        node
        for module in modules
        if "dynabench_cli/" in module.path
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef)
    )
    return sum(any(name_of(each) == "command" for each in node.decorator_list) for node in functions)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a Markdown document; code blocks are left out, and each table cell is a text."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*#>]|\d+\.)\s)|\|", prose):
        yield from re.split(r"(?<=[.!?:])\s+", " ".join(block.split()))


def long_sentences(documents: Iterable[str]) -> int:
    """Count the long sentences of documents."""
    return sum(
        len(sentence.split()) >= LONG_SENTENCE_WORDS
        for path in documents
        for sentence in sentences(Path(path).read_text(encoding="utf-8"))
    )


def clause_docstrings(modules: Iterable[Module]) -> int:
    """Count the docstrings of modules that begin with a clause in place of a noun."""
    found = ((ast.get_docstring(module.tree) or "").split(maxsplit=1) for module in modules)
    return sum(words[:1] != [] and words[0] in CLAUSES for words in found)


def counts() -> Mapping[str, int]:
    """Return every count by its name."""
    modules = read_modules()
    product = [module for module in modules if not module.is_test]
    tests = [module for module in modules if module.is_test]
    services = [module for module in product if module.path.startswith("services/")]
    of_product = list(classes(product))
    documents = [path for path in tracked("*.md") if not path.endswith("CHANGELOG.md")]
    texts = " ".join([*(module.text for module in product), *(Path(path).read_text() for path in documents)])
    return {
        "product lines": sum(module.lines for module in product),
        "product modules": len(product),
        f"product modules under {SMALL_MODULE_LINES} lines": sum(
            1 < module.lines < SMALL_MODULE_LINES for module in product
        ),
        "test lines": sum(module.lines for module in tests),
        "test functions": sum(
            isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            for module in tests
            for node in ast.walk(module.tree)
        ),
        "record classes": len(records(of_product)),
        "protocols": sum("Protocol" in {name_of(base) for base in each.bases} for each in of_product),
        "background loops": loops(of_product),
        "migrations": len(tracked("services/*/migrations/versions/*.py")),
        "commands of the command line": verbs(product),
        f"product files with `{SCALAR_OF_A_TRY}`": sum(SCALAR_OF_A_TRY in module.text for module in product),
        "README words": len(Path("README.md").read_text().split()),
        f"sentences of {LONG_SENTENCE_WORDS} words or more in documents": long_sentences(documents),
        "module docstrings that begin with a clause": clause_docstrings(services),
        **{f"“{word}” in code and documents": len(re.findall(rf"\b{word}\b", texts)) for word in COINED},
        **{
            f"files in {walk}": len(
                set(re.findall(r"`?(?:services|proto)/[\w/.-]+\.\w+", Path(walk).read_text()))
            )
            for walk in WALKS
        },
    }


if __name__ == "__main__":
    found = counts()
    if "--json" in sys.argv:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        for name, number in found.items():
            print(f"{number:>9,}  {name}")
