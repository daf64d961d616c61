"""Exports of a board of models: a LaTeX table, a BibTeX entry, and files of the Hugging Face Hub.

The Hub's two files follow its documentation as of 2026 (huggingface.co/docs/hub/eval-results, "work in progress"):

- `eval.yaml` in a dataset's repository describes the run of a benchmark: `name`, `description`,
  `evaluation_framework` and `tasks`. A task has `id`, `config`, `split`, and for Inspect AI `field_spec`, `solvers`
  and `scorers`.
- `.eval_results/*.yaml` in a model's repository lists scores, each with `dataset.id`, `dataset.task_id`, `value`,
  `date`, `source` and `notes`.

Texts are written as JSON strings, which are valid YAML.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from dynabench_client.results.leaderboard import ModelBoard, ModelRow

ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}
RATIOS = frozenset({"throughput", "latency", "memory"})


def latex_escaped(text: str) -> str:
    """Return a text as LaTeX prints it: nothing in it is a command, and it stays on one line."""
    whole = "".join(character if character.isprintable() else " " for character in text)
    return "".join(ESCAPED.get(character, character) for character in whole)


def latex_table(board: ModelBoard, title: str, address: str) -> str:
    """Return the ranked models as a table for the packages booktabs and url.

    Its caption names the rule, the items, the time and the digest. An empty board has a table without rows.
    """
    shown = [each for each in board.dimensions if each.is_measured]
    heads = [
        "Place",
        "Model",
        r"Score (95\,\%)",
        *(latex_escaped(_head(each.name, each.metric)) for each in shown),
    ]
    rows = [
        " & ".join(
            [_places(row), latex_escaped(row.model), _score(row), *(_value(each.name, row) for each in shown)]
        )
        + r" \\"
        for row in board.rows
        if row.rank is not None
    ]
    n = next((row.n for row in board.rows if row.rank is not None), 0)
    weights = ", ".join(f"{each.name} {100 * each.share:.0f}%" for each in shown if each.share > 0)
    caption = (
        f"Models on {title}, by {'Utility' if board.mode == 'utility' else 'the Dynascore'} ({weights}), n = {n:,} "
        f"items, as of {_day(board.as_of)}, board {board.digest}. Places hold for the whole board at once with 95%."
    )
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{latex_escaped(caption)} \url{{{_url(address)}}}}}",
        rf"  \label{{tab:board-{board.digest}}}",
        rf"  \begin{{tabular}}{{rl{'r' * (1 + len(shown))}}}",
        r"    \toprule",
        f"    {' & '.join(heads)} " + r"\\",
        r"    \midrule",
        *(f"    {row}" for row in rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def bibtex(key: str, title: str, as_of: datetime, sha256: str, address: str) -> str:
    """Return the entry that cites a frozen board."""
    fields = {
        "title": f"{{{latex_escaped(title)}}}",
        "year": f"{{{as_of.year}}}",
        "month": f"{{{as_of.month}}}",
        "howpublished": rf"{{\url{{{_url(address)}}}}}",
        "note": f"{{Board as of {_day(as_of)}, SHA-256 {sha256}}}",
    }
    inside = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@misc{{{key},\n{inside}\n}}\n"


def eval_results(board: ModelBoard, row: ModelRow, hub_ids: Mapping[str, str], address: str) -> str:
    """Return a model's scores as `.eval_results/*.yaml`; `hub_ids` names the Hub's dataset for datasets of the board.

    The value is the primary metric in percent. Datasets without a name on the Hub, or without a score, are left out.
    """
    entries = []
    for dataset, value in zip(board.datasets, row.primary, strict=True):
        if value is None or dataset.name not in hub_ids:
            continue
        metric = next((each.metric for each in board.dimensions if each.name == "performance"), "")
        notes = f"{metric} in percent, n = {dataset.items}, version {dataset.version}, board {board.digest}"
        entries.append(
            "\n".join(
                [
                    "- dataset:",
                    f"    id: {json.dumps(hub_ids[dataset.name])}",
                    f"    task_id: {json.dumps(dataset.name)}",
                    f"  value: {value:.4f}",
                    f"  date: {json.dumps(_day(board.as_of))}",
                    "  source:",
                    f"    url: {json.dumps(address)}",
                    '    name: "Dynabench"',
                    f"  notes: {json.dumps(notes)}",
                ]
            )
        )
    return "\n".join(entries) + "\n" if entries else "[]\n"


def eval_yaml(
    name: str, description: str, input_column: str, context_columns: Sequence[str], labels: Sequence[str]
) -> str:
    """Return `eval.yaml` for a released round whose columns are those of its Parquet files.

    With labels the prompt asks for one of them and the answer must match. Without labels it asks for a text, which is
    compared with the gold by F1.
    """
    asked = "".join(f"{{{column}}}\n" for column in context_columns) + "{prompt}\n"
    if labels:
        asked += f"Answer with one of: {', '.join(labels)}."
    lines = [
        f"name: {json.dumps(name)}",
        f"description: {json.dumps(description)}",
        'evaluation_framework: "inspect-ai"',
        "tasks:",
        f"  - id: {json.dumps(name)}",
        "    config: default",
        "    split: test",
        "    field_spec:",
        f"      input: {json.dumps(input_column)}",
        "      target: label",
        *([f"      metadata: {json.dumps(list(context_columns))}"] if context_columns else []),
        "    solvers:",
        "      - name: prompt_template",
        "        args:",
        f"          template: {json.dumps(asked)}",
        "      - name: generate",
        "    scorers:",
        f"      - name: {'match' if labels else 'f1'}",
    ]
    return "\n".join(lines) + "\n"


def _head(name: str, metric: str) -> str:
    return metric.replace("_", " ") if name == "performance" else name


def _places(row: ModelRow) -> str:
    first, last = row.rank_set or (row.rank, row.rank)
    return f"{first}" if first == last else f"{first}--{last}"


def _score(row: ModelRow) -> str:
    if row.score is None or row.interval is None:
        return "--"
    low, high = row.interval
    return f"{row.score:.1f} ({low:.1f}--{high:.1f})"


def _value(name: str, row: ModelRow) -> str:
    value = row.values.get(name)
    if value is None:
        return "--"
    return rf"{value:.2f}\,$\times$" if name in RATIOS else f"{value:.1f}"


def _day(when: datetime) -> str:
    return when.date().isoformat()


def _url(address: str) -> str:
    r"""Return an address as \url takes it inside an argument."""
    marks = {"\\": "%5C", "{": "%7B", "}": "%7D", "^": "%5E", "~": "%7E", " ": "%20"}
    plain = "".join(marks.get(character, character) for character in address)
    return plain.replace("%", r"\%").replace("#", r"\#").replace("&", r"\&").replace("_", r"\_")
