"""The JSON Schema of task configurations, for editors and for people who generate YAML by program.

It says what a document may contain. The reader checks rules that need the whole document: references between fields,
and labels that must agree. Both follow from the same shapes.
"""

from dynabench_tasks.configuration.reader import TASK
from dynabench_tasks.configuration.shapes import Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def configuration_schema(address: str) -> Schema:
    """Return the schema; `address` is where it is published."""
    return {"$schema": DIALECT, "$id": address, "title": "Dynabench task configuration", **TASK.schema()}
