"""The JSON Schema of task configurations, for editors and for those who write YAML by program.

It says what a document may hold; what only the whole document can tell (references between fields, labels that
must agree) is checked by the reader. Both follow from the same shapes.
"""

from dynabench_tasks.configuration.reader import TASK
from dynabench_tasks.configuration.shapes import Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def configuration_schema(address: str) -> Schema:
    """Return the schema; `address` is where it is published."""
    return {"$schema": DIALECT, "$id": address, "title": "Dynabench task configuration", **TASK.schema()}
