"""Each process's environment, read by its own settings class with this environment and no other."""

import os
import re
from collections.abc import Mapping

import pytest
from accounts.settings import AccountsSettings
from annotation.settings import AnnotationSettings
from crowd.settings import CrowdSettings
from dynabench_common.service_tokens import CALLERS
from dynabench_common.settings import OwnerSettings, ProcessSettings, TrustSettings, load
from dynabench_common.telemetry.metrics_port import MetricsSettings
from dynabench_common.telemetry.trace_export import TracingSettings
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, service_token
from dynabench_local.services import CALLED
from gateway.settings import GatewaySettings
from leaderboard import settings as leaderboard
from model_agent.settings import AgentSettings
from pydantic_settings import BaseSettings
from registry import settings as registry
from scoring import settings as scoring
from validation.settings import ValidationSettings
from web.kit import drawing, pictures
from web.settings import WebSettings

from tests.chart.conftest import ROOT
from tests.chart.manifests import Manifests

MEMORY_OF_PAGES = 512 * 2**20
"""Bytes of a page process; the decision on drawn link previews measured 140 MiB."""
READ_BY: Mapping[str, tuple[type[BaseSettings], ...]] = {
    "accounts-http": (AccountsSettings, MetricsSettings, TracingSettings, TrustSettings),
    "accounts-worker": (AccountsSettings, ProcessSettings, MetricsSettings, TracingSettings, TrustSettings),
    "annotation-http": (AnnotationSettings, MetricsSettings, TracingSettings, TrustSettings),
    "annotation-worker": (
        AnnotationSettings,
        ProcessSettings,
        MetricsSettings,
        TracingSettings,
        TrustSettings,
    ),
    "validation-http": (ValidationSettings, MetricsSettings, TracingSettings, TrustSettings),
    "validation-worker": (
        ValidationSettings,
        ProcessSettings,
        MetricsSettings,
        TracingSettings,
        TrustSettings,
    ),
    "crowd-http": (CrowdSettings, MetricsSettings, TracingSettings, TrustSettings),
    "crowd-worker": (CrowdSettings, ProcessSettings, MetricsSettings, TracingSettings, TrustSettings),
    "leaderboard-http": (leaderboard.HttpSettings, MetricsSettings, TracingSettings, TrustSettings),
    "leaderboard-worker": (
        leaderboard.WorkerSettings,
        ProcessSettings,
        MetricsSettings,
        TracingSettings,
        TrustSettings,
    ),
    "scoring-http": (scoring.HttpSettings, MetricsSettings, TracingSettings, TrustSettings),
    "scoring-worker": (
        scoring.WorkerSettings,
        ProcessSettings,
        MetricsSettings,
        TracingSettings,
        TrustSettings,
    ),
    "scoring-evaluator": (
        scoring.EvaluatorSettings,
        ProcessSettings,
        MetricsSettings,
        TracingSettings,
        TrustSettings,
    ),
    "gateway-http": (GatewaySettings, MetricsSettings, TracingSettings, TrustSettings),
    "registry-http": (registry.HttpSettings, MetricsSettings, TracingSettings, TrustSettings),
    "registry-worker": (
        registry.WorkerSettings,
        ProcessSettings,
        MetricsSettings,
        TracingSettings,
        TrustSettings,
    ),
    "agent": (AgentSettings, MetricsSettings, TracingSettings, TrustSettings),
    "web-http": (WebSettings, MetricsSettings, TracingSettings, TrustSettings),
    "migrate": (OwnerSettings,),
}
OPERATED = ("doctor", "backup", "restore")
READ_BY_LIBRARIES = {
    "OMP_NUM_THREADS": "numpy and scipy",
    "OPENBLAS_NUM_THREADS": "numpy",
    "MALLOC_ARENA_MAX": "the C library, for the process that hashes passwords",
    "MALLOC_MMAP_THRESHOLD_": "the C library, for the process that hashes passwords",
    "SSL_CERT_FILE": "Python's ssl, for Kafka",
    "AWS_CA_BUNDLE": "botocore",
    "PGSSLROOTCERT": "libpq",
    "DATABASE_PASSWORD": "Kubernetes, which puts it into DATABASE_URL",
    "DATABASE_OWNER_PASSWORD": "Kubernetes, which puts it into DATABASE_OWNER_URL",
    "KAFKA_PASSWORD": "Kubernetes, which puts it into KAFKA_BOOTSTRAP_SERVERS",
}


SHAPED = {"SERVICE_TOKEN": service_token("web"), "SERVICE_TOKEN_DIGESTS": SERVICE_TOKEN_DIGESTS}
"""Example values of settings with a required form."""


@pytest.mark.parametrize("process", READ_BY)
def test_a_process_has_exactly_the_settings_that_it_reads(
    manifests: Manifests, process: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = manifests.environment(manifests.process(process))
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in {
        **environment,
        **{name: SHAPED[name] for name in SHAPED.keys() & environment.keys()},
    }.items():
        monkeypatch.setenv(name, value)
    read: set[str] = set()
    for settings_class in READ_BY[process]:
        load(settings_class)
        read |= {name.upper() for name in settings_class.model_fields}
    assert set(environment) - read - set(READ_BY_LIBRARIES) == set()


def test_behind_a_pooler_each_process_knows_both_ways_to_its_database(
    all_manifests: Mapping[str, Manifests],
) -> None:
    manifests = all_manifests["all-options"]
    for process in (name for name in READ_BY if name != "agent"):
        environment = manifests.environment(manifests.process(process))
        assert ("DATABASE_DIRECT_URL" in environment) == ("DATABASE_URL" in environment)
        if "DATABASE_URL" in environment:
            assert environment["DATABASE_DIRECT_URL"] == environment["DATABASE_URL"].replace(
                "@pg:6432/", "@pg-itself:5433/"
            )
            assert {6432, 5433} <= manifests.outside_ports(process)


def test_where_processes_have_roles_of_their_own_migrations_alone_know_the_owner(
    all_manifests: Mapping[str, Manifests],
) -> None:
    manifests = all_manifests["all-options"]
    for process in (name for name in READ_BY if name not in {"agent", "gateway-http", "web-http"}):
        environment = manifests.environment(manifests.process(process))
        keys = {key for _, key in manifests.secret_keys(process).values()}
        service = environment["DATABASE_URL"].rpartition("/bench_")[2].partition("?")[0]
        assert environment["DATABASE_URL"].startswith(f"postgresql+psycopg2://bench_{service}_app:")
        assert f"{service}-app-password" in keys
        assert (f"{service}-password" in keys) == (process == "migrate")
        owner = environment.get("DATABASE_OWNER_URL", "")
        assert (f"//bench_{service}:" in owner and "@pg-itself:5433/" in owner) == (process == "migrate")


def test_a_pod_is_killed_after_its_drain(manifests: Manifests) -> None:
    pods = {each["metadata"]["name"]: each["spec"]["template"]["spec"] for each in manifests.of("Deployment")}
    for process in (name for name in READ_BY if name.endswith("-http")):
        (pod,) = (each for name, each in pods.items() if name.endswith(process))
        drain = READ_BY[process][0].model_fields["drain_seconds"].default
        assert pod["terminationGracePeriodSeconds"] >= 5 + drain + 5, (
            "the five seconds before it is told, and some to end"
        )


def test_limits_are_divided_by_the_most_pods_there_may_be(manifests: Manifests) -> None:
    for process in ("gateway-http", "annotation-http"):
        most = [
            each["spec"].get("maxReplicas") or each["spec"]["maxReplicaCount"]
            for kind in ("HorizontalPodAutoscaler", "ScaledObject")
            for each in manifests.of(kind)
            if each["metadata"]["name"].endswith(process)
        ]
        deployed = [
            each["spec"]["replicas"]
            for each in manifests.of("Deployment")
            if each["metadata"]["name"].endswith(process) and "replicas" in each["spec"]
        ]
        replicas = manifests.environment(manifests.process(process))["HTTP_REPLICAS"]
        assert [replicas] == [str(number) for number in most or deployed]


def test_pages_have_memory_beside_the_pictures_that_they_draw_at_once(manifests: Manifests) -> None:
    limit = manifests.process("web-http")["resources"]["limits"]["memory"]
    assert limit.endswith("Gi")
    drawings = pictures.AT_ONCE * drawing.MEMORY_BYTES
    assert int(limit.removesuffix("Gi")) * 2**30 >= drawings + MEMORY_OF_PAGES


def test_every_process_is_compared(manifests: Manifests) -> None:
    ours = {
        container["name"]
        for _, container in manifests.containers()
        if container["name"]
        not in {"torchserve", "postgres", "kafka", "s3", "edge", "prepare", "ready", *OPERATED}
    }
    assert ours == set(READ_BY)


def test_the_model_server_has_the_settings_that_its_script_reads(manifests: Manifests) -> None:
    script = (ROOT / "deploy" / "docker" / "run-torchserve").read_text()
    environment = manifests.environment(manifests.process("torchserve"))
    assert not [name for name in environment if f"${{{name}:-" not in script]


def test_the_preparation_has_the_settings_that_it_reads(all_manifests: Mapping[str, Manifests]) -> None:
    manifests = all_manifests["quickstart"]
    source = (ROOT / "deploy/local/src/dynabench_local/prepare.py").read_text()
    environment = manifests.environment(manifests.process("prepare"))
    of_services = {
        name for name in environment if re.fullmatch(r"[A-Z]+_(DATABASE|DATABASE_APP|KAFKA)_PASSWORD", name)
    }
    within_others = {"POSTGRES_ADMIN_PASSWORD", "KAFKA_ADMIN_PASSWORD"}
    by_boto = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
    assert not [
        name for name in set(environment) - of_services - within_others - by_boto if f'"{name}"' not in source
    ]


def test_a_service_gets_no_other_services_password(manifests: Manifests) -> None:
    for process in READ_BY:
        keys = [key for _, key in manifests.secret_keys(process).values()]
        owners = {
            key.removesuffix("-password").removesuffix("-app") for key in keys if key.endswith("-password")
        }
        if process == "migrate":
            assert len(owners) == 1, owners
        else:
            assert owners <= {process.partition("-")[0]}, (process, owners)


def test_a_service_gets_its_own_token_and_of_others_digests_alone(manifests: Manifests) -> None:
    secret = manifests.secret_keys("web-http")["SERVICE_TOKEN"][0]
    holders: dict[str, set[str]] = {}
    for process in READ_BY:
        for setting, (name, key) in manifests.secret_keys(process).items():
            if name == secret:
                assert setting == ("SERVICE_TOKEN_DIGESTS" if key == "digests" else "SERVICE_TOKEN")
                holders.setdefault(key, set()).add(process)
    assert holders.pop("digests") == {f"{name}-http" for name in CALLED if name != "agent"} | {"agent"}
    assert set(holders) == set(CALLERS)
    for service, processes in holders.items():
        assert {process.partition("-")[0] for process in processes} == {service}


def test_commands_are_those_of_the_services(manifests: Manifests) -> None:
    for process in READ_BY:
        command = manifests.process(process)["command"]
        package = command[0].replace("-", "_")
        source = ROOT / "services" / package / "src" / package / "entrypoints" / "cli.py"
        assert f"def {command[1]}(" in source.read_text()
