"""Write the chart's README from its introduction and the schema of its values: `python scripts/chart_readme.py`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

CHART = Path(__file__).resolve().parents[1] / "helm" / "dynabench"
INTRODUCTION = CHART / "introduction.md"


def readme() -> str:
    """Return the text."""
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    rows = ["| value | meaning | default |", "|---|---|---|"]
    rows += [
        f"| `{path}` | {meaning} | {default} |"
        for path, meaning, default in _rows(schema, schema, values, "")
    ]
    rows += [
        "",
        "Each process, as `processes.NAME`, takes:",
        "",
        "| value | meaning | default of `annotation-http` |",
    ]
    rows += ["|---|---|---|"]
    process = schema["properties"]["processes"]["properties"]["annotation-http"]
    of_process = values["processes"]["annotation-http"]
    rows += [
        f"| `{path}` | {meaning} | {default} |"
        for path, meaning, default in _rows(schema, process, of_process, "")
    ]
    return INTRODUCTION.read_text(encoding="utf-8") + "\n".join(rows) + "\n"


def _rows(
    schema: dict[str, Any], part: dict[str, Any], values: Any, above: str
) -> Iterator[tuple[str, str, str]]:
    for name, found in part["properties"].items():
        described = schema["$defs"][found["$ref"].rpartition("/")[2]] if "$ref" in found else found
        path, default = f"{above}{name}", (values or {}).get(name)
        meaning = described["description"]
        if "enum" in described:
            meaning += f" One of {', '.join(f'`{value}`' for value in described['enum'])}."
        yield path, meaning, _shown(default) if "properties" not in described else ""
        if path == "processes":
            yield from (
                (f"{path}.{each}", of["description"], "") for each, of in described["properties"].items()
            )
        elif "properties" in described:
            yield from _rows(schema, described, default, f"{path}.")


def _shown(value: Any) -> str:
    return "" if value in ("", None, [], {}) else f"`{json.dumps(value)}`"


def main() -> None:
    """Write the file."""
    (CHART / "README.md").write_text(readme(), encoding="utf-8")


if __name__ == "__main__":
    main()
