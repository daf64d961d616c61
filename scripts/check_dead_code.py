"""Find code that nothing uses, with vulture; what templates and frameworks use counts as used."""

import re
import sys
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parents[1]
PLACES = (
    "services",
    "deploy/local",
    "scripts",
    "model-archives",
    "proto/generate.py",
    "tests",
    "conftest.py",
)
LEFT_OUT = ("*/node_modules/*", "*/tests/additions/*", "*/proto/gen/*")
MIN_CONFIDENCE = 60
# Entered in a registry, or called by Flask, Typer, pytest, pydantic.
REGISTERED = ["@*.get", "@*.post", "@*.put", "@*.delete", "@*.command", "@*.callback", "@*register*"]
CALLED = ["@*errorhandler*", "@*before_request*", "@*after_request*", "@*teardown*", "@*context_processor*"]
TESTED = ["@pytest.fixture*", "@*validator*", "@*.serializer"]
# Read by the standard library's servers, the database's driver, Alembic, pydantic, gunicorn, ONNX, Jinja or flask.g.
FOREIGN = [
    *(
        "do_*",
        "log_message",
        "log_request",
        "handle_error",
        "client_address",
        "protocol_version",
        "daemon_threads",
    ),
    *("disable_nagle_algorithm", "allow_reuse_address", "request_queue_size", "close_connection"),
    *("model_config", "autocommit", "openapi_version", "max_content_length", "max_form_memory_size"),
    *("load_config", "wsgi_handler", "trim_blocks", "lstrip_blocks", "undefined", "obj", "ignore_aliases"),
    *("fresh_session", "session_ended", "session_trouble"),
    *(
        "revision",
        "down_revision",
        "upgrade",
        "downgrade",
        "pytest_*",
        "pytestmark",
        "doc_string",
        "encode_special_tokens",
    ),
    *(
        "*_op_num_threads",
        "external_attr",
        "create_system",
        "phrase",
        "idx",
        "increment",
        "DrainingWorker",
        "*Handler",
    ),
]
NAMES = re.compile(r"[A-Za-z_]\w+")


def main() -> int:
    """Print what nothing uses; return whether there is any."""
    found = Vulture(ignore_names=FOREIGN, ignore_decorators=[*REGISTERED, *CALLED, *TESTED])
    found.scavenge([str(ROOT / place) for place in PLACES], exclude=list(LEFT_OUT))
    for template in ROOT.glob("services/*/src/**/*.html"):
        found.used_names.update(NAMES.findall(template.read_text()))
    unused = [item for item in found.get_unused_code(min_confidence=MIN_CONFIDENCE) if not is_public(item)]
    for item in unused:
        print(f"{Path(item.filename).relative_to(ROOT)}:{item.first_lineno}: {item.message}")
    return int(bool(unused))


def is_public(item: object) -> bool:
    """Tell whether users of an interface may use it: fields of answers, results, events; names in annotations."""
    name = str(getattr(item, "filename", ""))
    kind = str(getattr(item, "typ", ""))
    contracts = ("schemas.py", "/results/" + Path(name).name, "/dynabench_events/" + Path(name).name)
    is_field = kind == "variable" and name.endswith(contracts)
    return is_field or kind == "import"


if __name__ == "__main__":
    sys.exit(main())
