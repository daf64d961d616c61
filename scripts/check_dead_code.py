"""Find code that nothing uses, with vulture; what templates and frameworks use counts as used."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from vulture import Vulture
from vulture.core import Item

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = (
    "services",
    "deploy/local",
    "scripts",
    "model-archives",
    "proto/generate.py",
    *(
        "tests/bench",
        "tests/coverage",
        "tests/faults",
        "tests/hostile",
        "tests/joins",
        "tests/scale",
        "tests/upgrades",
    ),
    *("tests/figures.py", "tests/own_platform.py", "tests/scenarios.py"),
)
TESTED_PLACES = ("services", "deploy/local", "model-archives", "proto")
TESTS = ("tests", "conftest.py")
LEFT_OUT = ("*/node_modules/*", "*/tests/additions/*", "*/proto/gen/*")
OF_TESTS = re.compile(
    r"/tests/(?!bench/|coverage/(?!test_)|faults/|hostile/|joins/|scale/|upgrades/)|/conftest\.py$"
)
# Made for tests, and therefore used by nothing else.
FOR_TESTS = (
    "dynabench_common/testing.py",
    "dynabench_common/http/contracts.py",
    "dynabench_local/temporary.py",
)
MIN_CONFIDENCE = 60
# Registered, or called by Flask, Typer, pytest, pydantic.
REGISTERED = ["@*.get", "@*.post", "@*.put", "@*.delete", "@*.command", "@*.callback", "@*register*"]
CALLED = ["@*errorhandler*", "@*before_*request*", "@*after_request*", "@*teardown*", "@*context_processor*"]
TESTED = ["@pytest.fixture*", "@*validator*", "@*.serializer"]
# Read by the standard library, Babel, the database's driver, SQLAlchemy, kafka-python, PyYAML, Alembic, pydantic,
# gunicorn, supervisor, urllib3, ONNX, torch, tokenizers, TorchServe, Jinja or flask.g.
FOREIGN = [
    *(
        "content_encoding",
        "do_*",
        "post_processor",
        "pre_tokenizer",
        "log_message",
        "log_request",
        "handle_error",
        "handleError",
        "handle_*tag",
        "handle_data",
        "u*gettext",
        "visit_JoinedStr",
        "client_address",
        "protocol_version",
        "daemon_threads",
        "_new_conn",
    ),
    *("makefile", "readinto", "hide_parameters"),
    *("disable_nagle_algorithm", "allow_reuse_address", "request_queue_size", "close_connection"),
    *(
        "_missing_",
        "_name_",
        "_value_",
        "model_config",
        "autocommit",
        "openapi_version",
        "max_content_length",
        "max_form_memory_size",
    ),
    *(
        "test_client_class",
        "load_bytecode",
        "dump_bytecode",
        "bytecode_cache",
        "loadscopereorder",
        "_split_scope",
    ),
    *(
        "create_served_app",
        "load_config",
        "wsgi_handler",
        "trim_blocks",
        "lstrip_blocks",
        "domain_instance",
        "undefined",
        "obj",
        "ignore_aliases",
    ),
    # Passed to gunicorn by name, or called by gevent, if a service speaks HTTPS.
    *("SecuredGreenlets", "wrap_socket_and_handle", "max_accept"),
    # Called by KServe's model server.
    *("get_input_types", "get_output_types"),
    # Called by handlers that were written for dynalab.
    *("initialized", "task_io", "taskIO", "_handler_initialize", "_read_data"),
    *("sign_response", "generate_response_signature"),
    # A key of the registry's data on a model.
    "wanted_since",
    *("fresh_session", "session_ended", "session_trouble", "upload_of"),
    *("API_KEY", "API_VERSION", "FLEXIBLE_VERSION", "RESPONSE_TYPE", "SCHEMA", "check_event", "get_event"),
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
        "forward",
        "handle",
        "handle_*",
        "u*gettext",
        "visit_JoinedStr",
        "idx",
        "increment",
        "DrainingThreads",
        "server_class",
        "DrainingWorker",
        "*Handler",
    ),
]
NAMES = re.compile(r"[A-Za-z_]\w+")


def main() -> int:
    """Print unused code; return whether there is any.

    Code that only tests use counts as unused. So programs are checked without tests first, and tests with everything.
    """
    tests_left_out = [*LEFT_OUT, *(f"*/{place}/*tests/*" for place in TESTED_PLACES), "*/conftest.py"]
    unused = [
        *(item for item in found_in(PROGRAMS, tests_left_out) if not of_tests(item)),
        *(item for item in found_in((*PROGRAMS, *TESTS), LEFT_OUT) if of_tests(item)),
    ]
    for item in unused:
        print(f"{Path(item.filename).relative_to(ROOT)}:{item.first_lineno}: {item.message}")
    return int(bool(unused))


def found_in(places: Iterable[str], left_out: Iterable[str]) -> Iterator[Item]:
    """Yield the unused code in these places."""
    vulture = Vulture(ignore_names=FOREIGN, ignore_decorators=[*REGISTERED, *CALLED, *TESTED])
    vulture.scavenge([str(ROOT / place) for place in places], exclude=list(left_out))
    for template in ROOT.glob("services/*/src/**/*.html"):
        vulture.used_names.update(NAMES.findall(template.read_text()))
    return (item for item in vulture.get_unused_code(min_confidence=MIN_CONFIDENCE) if not is_public(item))


def of_tests(item: Item) -> bool:
    """Return whether a definition is a test's, or made for tests."""
    name = Path(item.filename).relative_to(ROOT).as_posix()
    return name.endswith(FOR_TESTS) or OF_TESTS.search(f"/{name}") is not None


def is_public(item: Item) -> bool:
    """Return whether users of an interface may use it: fields of answers, results, events; names in annotations."""
    name = Path(item.filename)
    contracts = (
        f"/dynabench_api/{name.name}",
        f"/results/{name.name}",
        f"/dynabench_events/{name.name}",
        "schemas.py",
    )
    is_field = item.typ == "variable" and str(name).endswith(contracts)
    return is_field or item.typ == "import"


if __name__ == "__main__":
    sys.exit(main())
