"""Infrastructure of tests: real PostgreSQL, Kafka, S3 and, on request, the whole platform.

Everything starts on free ports in a temporary folder at the first test that needs it and is removed at the end.
With DYNABENCH_TEST_HOME set to the data folder of a running stack (and PORT_BASE to its ports), tests use that
one and leave it running.
"""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest
from dynabench_client import Dynabench
from dynabench_common.database import roles as database_roles
from dynabench_common.events.brokers import connection
from dynabench_common.settings import OwnerSettings
from dynabench_common.telemetry.trace_export import end_export
from dynabench_local import postgres, seaweedfs, services, topics
from dynabench_local.kafka import admin_address
from dynabench_local.layout import Layout, checkout, wanted_replicas
from dynabench_local.stack import INFRASTRUCTURE, Stack
from dynabench_local.temporary import FOREIGN_SETTINGS, temporary_stack
from hypothesis import HealthCheck, settings
from kafka.admin import KafkaAdminClient
from playwright.sync_api import Browser, expect, sync_playwright
from sqlalchemy import Engine, create_engine, make_url
from werkzeug.routing import Rule
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.collector import Collector
from tests.scenarios import SHIPPED_TASKS, let_votes_count_at_once

CHROMIUM_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

EXTENSIONS = {
    "services/tasks/tests/additions/dynabench_tasks/fields": "dynabench_tasks/fields",
    "services/web/tests/additions/kit/fields": "web/kit/fields",
}

# Machines may be slow and busy: no test fails because an example is slow. `make test` tries the same
# examples each time; `make test-all` sets DYNABENCH_FUZZ_CASES and tries others.
settings.register_profile(
    "patient",
    deadline=None,
    derandomize="DYNABENCH_FUZZ_CASES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")


def compile_routes_once() -> None:
    """Keep compiled routes for all applications of the process: most tests make an application of their own.

    Flask compiles each rule again, which took most of the time that a test of a page needs to begin.
    """
    compile_rule = Rule.compile
    compiled: dict[tuple[object, ...], Rule] = {}

    def compile_once(rule: Rule) -> None:
        key = (rule.rule, rule.subdomain, rule.merge_slashes, repr(rule.defaults))
        if key not in compiled:
            compile_rule(rule)
            compiled[key] = rule
            return
        known = compiled[key]
        rule._parts, rule._trace = known._parts, known._trace
        rule._converters, rule.arguments = known._converters, known.arguments
        rule._build = known._build.__func__.__get__(rule)  # type: ignore[attr-defined]
        rule._build_unknown = known._build_unknown.__func__.__get__(rule)  # type: ignore[attr-defined]

    Rule.compile = compile_once  # type: ignore[assignment, method-assign]


compile_routes_once()
expect.set_options(timeout=30_000)


# Tests of these folders share the running platform, which takes a minute to come up.
PLATFORM_TESTS = ("tests/e2e/", "tests/contract/")
OWN_PLATFORM = pytest.StashKey[Stack]()
"""The stack of the platform that this run started, while its services run."""


class ByFileAndPlatform(LoadScopeScheduling):  # type: ignore[misc]
    """Assigns the tests of a file to one process, and all tests of the running platform to another."""

    def _split_scope(self, nodeid: str) -> str:
        return "platform" if nodeid.startswith(PLATFORM_TESTS) else nodeid.split("::", 1)[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFileAndPlatform:
    """Distribute the tests to the processes, in their order."""
    config.option.loadscopereorder = False
    return ByFileAndPlatform(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that need the platform: while it starts, another process runs the rest."""
    root = Path(__file__).parent
    first = tuple(root / folder for folder in PLATFORM_TESTS)
    items.sort(key=lambda item: not any(item.path.is_relative_to(folder) for folder in first))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop the platform's services after the last test that needs them: idle, they still cost processor time."""
    if nextitem is None or nextitem.nodeid.startswith(PLATFORM_TESTS):
        return
    stack = item.config.stash.get(OWN_PLATFORM, None)
    if stack is not None:
        del item.config.stash[OWN_PLATFORM]
        stack.stop_services()


@dataclass(frozen=True)
class ServiceDatabase:
    """A service's database: its address as the role that processes run as, and as its owner."""

    url: str
    owner_url: str


def analyse(engine: Engine, *tables: str) -> None:
    """Update the planner's statistics of a test's tables, as their owner: no process does."""
    owner = create_engine(engine.url.set(username=engine.url.database), isolation_level="AUTOCOMMIT")
    with owner.connect() as connection:
        connection.exec_driver_sql(f"VACUUM ANALYZE {', '.join(tables)}")
    owner.dispose()


@dataclass
class Infrastructure:
    """PostgreSQL, Kafka and S3, shared by all tests of a run; each test uses its own database and topics."""

    stack: Stack
    kafka_bootstrap_servers: str = field(init=False)
    s3_endpoint_url: str = field(init=False)
    s3_access_key: str = field(init=False)
    s3_secret_key: str = field(init=False)
    s3_bucket: str = seaweedfs.BUCKET
    topic_prefixes: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.kafka_bootstrap_servers = admin_address(self.stack.layout, self.stack.secrets)
        self.s3_endpoint_url = seaweedfs.endpoint_url(self.stack.layout)
        keys = seaweedfs.credentials(self.stack.secrets)
        self.s3_access_key, self.s3_secret_key = keys["AWS_ACCESS_KEY_ID"], keys["AWS_SECRET_ACCESS_KEY"]

    def create_database(self, service: str) -> str:
        """Return the address of a fresh database with a role of its own, which owns it."""
        name = f"test_{service}_{uuid4().hex[:10]}"
        admin = postgres.admin_url(self.stack.layout, self.stack.secrets)
        postgres.ensure_database(admin, name, name, "test")
        server = admin.split("@", 1)[1].split("/", 1)[0]
        return f"postgresql+psycopg2://{name}:test@{server}/{name}"

    def create_running_role(self, owner_url: str) -> str:
        """Return the address of a database as the role that processes run as; it has no rights yet."""
        owner = make_url(owner_url)
        role = postgres.running_role(str(owner.username))
        admin = postgres.admin_url(self.stack.layout, self.stack.secrets)
        postgres.ensure_running_role(admin, role, "test", str(owner.username))
        return owner.set(username=role).render_as_string(hide_password=False)

    def create_migrated_database(self, service: str) -> ServiceDatabase:
        """Return a fresh database that its owner migrated, as processes of the service find it."""
        owner_url = self.create_database(service)
        found = ServiceDatabase(self.create_running_role(owner_url), owner_url)
        settings = OwnerSettings(database_url=found.url, database_owner_url=found.owner_url)
        database_roles.migrate(service, settings, checkout() / "services" / service / "migrations")
        return found

    def create_topics(self, prefix: str, *only: str) -> None:
        """Make topics under a prefix, all or those named, to be removed when the test ends."""
        self.topic_prefixes.add(prefix)
        topics.ensure_topics(self.kafka_bootstrap_servers, prefix, only=only)

    def remove_topics(self) -> None:
        """Remove the topics made by `create_topics`."""
        if not self.topic_prefixes:
            return
        admin = KafkaAdminClient(
            **connection(self.kafka_bootstrap_servers), api_version_auto_timeout_ms=60_000
        )
        try:
            admin.delete_topics(
                [name for name in admin.list_topics() if name.startswith(tuple(self.topic_prefixes))]
            )
        finally:
            admin.close()
        self.topic_prefixes.clear()


@dataclass
class Platform:
    """The whole platform, running."""

    stack: Stack

    @property
    def url(self) -> str:
        """Return its one origin."""
        return self.stack.layout.public_url

    @property
    def home(self) -> Path:
        """Return its data folder."""
        return self.stack.layout.home

    def environment(self, service: str) -> dict[str, str]:
        """Return the settings of a service."""
        return self.stack.environment(service)

    def sign_ins(self) -> dict[str, dict[str, str]]:
        """Return the demo's people by user name."""
        people = json.loads((self.home / "demo-sign-ins.json").read_text())
        return {person["user_name"]: person for person in people}


@pytest.fixture(scope="session")
def extensions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The field type of docs/extend/task-language.md, in a folder laid out as the packages that it adds to."""
    folder = tmp_path_factory.mktemp("extensions")
    for source, target in EXTENSIONS.items():
        shutil.copytree(checkout() / source, folder / target)
    return folder


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector for spans of this process; a test's export ends with it."""
    made = Collector()
    yield made
    end_export()
    made.close()


@pytest.fixture(scope="session")
def stack_collector() -> Iterator[Collector | None]:
    """The collector of the stack's traces. None for a stack started elsewhere."""
    if os.environ.get("DYNABENCH_TEST_HOME"):
        yield None
        return
    made = Collector()
    yield made
    made.close()


@pytest.fixture(scope="session")
def stack(extensions: Path, stack_collector: Collector | None) -> Iterator[Stack]:
    """A stack with nothing started, or the running one that DYNABENCH_TEST_HOME names."""
    if stack_collector is None:
        given = os.environ["DYNABENCH_TEST_HOME"]
        yield Stack(Layout(checkout(), Path(given), int(os.environ["PORT_BASE"]), wanted_replicas()))
        return
    with pytest.MonkeyPatch.context() as patch:
        for setting in FOREIGN_SETTINGS:
            patch.delenv(setting, raising=False)
        patch.setenv(services.EXTENSIONS, str(extensions))
        endpoint, ratio = services.TRACING
        patch.setenv(endpoint, stack_collector.address)
        patch.setenv(ratio, "0")
        # A slow disk must not delay tests for data that is removed afterwards.
        patch.setenv(postgres.OPTIONS, "-c fsync=off -c full_page_writes=off")
        with temporary_stack(print) as made:
            yield made


@pytest.fixture(scope="session")
def infrastructure(stack: Stack) -> Infrastructure:
    """PostgreSQL, Kafka and S3, started at the first use."""
    stack.up([name for name in INFRASTRUCTURE if name in stack.parts])
    return Infrastructure(stack)


@pytest.fixture(autouse=True)
def only_topics_in_use(request: pytest.FixtureRequest) -> Iterator[None]:
    """Remove a test's topics after it: a killed broker checks every partition before it answers."""
    yield
    if "infrastructure" in request.fixturenames:
        request.getfixturevalue("infrastructure").remove_topics()


@pytest.fixture(scope="session")
def platform(stack: Stack, stack_collector: Collector | None, pytestconfig: pytest.Config) -> Platform:
    """The whole platform with the demo's task, round and people, started at the first use."""
    if stack_collector is not None:
        pytestconfig.stash[OWN_PLATFORM] = stack
    stack.up()
    stack.wait_for_targets()
    stack.seed()
    running = Platform(stack)
    olga = running.sign_ins()["olga"]
    owner = Dynabench(running.url, user_name="olga", password=olga["password"])
    let_votes_count_at_once(owner, SHIPPED_TASKS)
    return running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, headless; one for all tests, since Playwright runs once per process."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM_ARGUMENTS)
        yield launched
        launched.close()
