"""Jobs of an operator: their settings name every store and no more; they run in order, without conflicting jobs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_operate.cli import app
from dynabench_operate.stores import SERVICES, from_environment

from tests.chart.conftest import CHART
from tests.chart.manifests import Manifests
from tests.chart.test_chart_objects import render
from tests.chart.test_chart_settings import OPERATED, READ_BY_LIBRARIES

FOLDER = "2026-11-24T03-03-15Z"
READ = {
    *(
        f"{service.upper()}_{what}"
        for service in SERVICES
        for what in ("DATABASE_URL", "DATABASE_OWNER_URL", "KAFKA_ADDRESS")
    ),
    *("KAFKA_ADMIN_ADDRESS", "KAFKA_TOPIC_PREFIX", "PUBLIC_URL"),
    *(
        "S3_BUCKET",
        "S3_REGION",
        "S3_ENDPOINT_URL",
        "S3_KEY_PREFIX",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    ),
}
WITHIN_OTHERS = {
    *(
        f"{service.upper()}_{what}_PASSWORD"
        for service in SERVICES
        for what in ("DATABASE", "DATABASE_OWNER", "KAFKA")
    ),
    "KAFKA_ADMIN_PASSWORD",
}


def rendered(tools: Path, folder: Path, values: Mapping[str, Any], name: str = "values") -> Manifests:
    result = render(tools, folder, dict(values), name)
    assert result.returncode == 0, result.stdout
    return Manifests((folder / "out" / f"{name}.yaml").read_text())


def production() -> dict[str, Any]:
    values: dict[str, Any] = yaml.safe_load((CHART / "ci" / "production.yaml").read_text())
    return values


def quickstart(**more: Any) -> dict[str, Any]:
    return {**yaml.safe_load((CHART / "ci" / "quickstart.yaml").read_text()), **more}


def operated(manifests: Manifests) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for _, each in manifests.containers() if each["name"] in OPERATED}


def test_each_job_has_exactly_the_settings_that_it_reads(all_manifests: Mapping[str, Manifests]) -> None:
    seen = set()
    for manifests in all_manifests.values():
        for name, container in operated(manifests).items():
            environment = manifests.environment(container)
            stores = from_environment(environment)
            assert set(environment) - READ - WITHIN_OTHERS - set(READ_BY_LIBRARIES) == set()
            assert stores.kafka_address or name == "doctor"
            seen.add(name)
    assert seen == {"doctor", "backup"}


def test_backup_and_doctor_sign_in_as_the_owners_and_know_the_running_roles(
    all_manifests: Mapping[str, Manifests],
) -> None:
    found = operated(all_manifests["all-options"])
    assert found
    for container in found.values():
        stores = from_environment(all_manifests["all-options"].environment(container))
        for service in SERVICES:
            assert stores.databases[service].startswith(f"postgresql+psycopg2://bench_{service}:")
            assert stores.running_url(service).startswith(f"postgresql+psycopg2://bench_{service}_app:")


def test_a_quickstart_makes_the_running_roles_if_configured(tools: Path, tmp_path: Path) -> None:
    manifests = rendered(tools, tmp_path, quickstart(postgresql={"runningRoles": True}))
    prepared = manifests.environment(manifests.process("prepare"))
    assert {f"{service.upper()}_DATABASE_APP_PASSWORD" for service in SERVICES} <= set(prepared)


def test_commands_are_those_of_the_program(tools: Path, tmp_path: Path) -> None:
    verbs = {command.callback.__name__ for command in app.registered_commands if command.callback}
    restoring = {**production(), "restore": {"folder": FOLDER}}
    for values, name in ((production(), "backing"), (restoring, "restoring")):
        for container in operated(rendered(tools, tmp_path, values, name)).values():
            assert container["command"][0] == "dynabench-operate"
            assert container["command"][1] in verbs


def test_the_doctor_looks_before_migrations_and_after_its_policy(
    all_manifests: Mapping[str, Manifests],
) -> None:
    manifests = all_manifests["production"]
    weights = {
        (each["kind"], each["metadata"]["name"]): int(each["metadata"]["annotations"]["helm.sh/hook-weight"])
        for each in manifests.objects
        if "helm.sh/hook-weight" in each["metadata"].get("annotations", {})
    }
    doctor = weights["Job", "sample-dynabench-doctor"]
    assert weights["NetworkPolicy", "sample-dynabench-doctor"] < doctor
    assert doctor < min(at for (kind, name), at in weights.items() if "-migrate-" in name)


def test_a_quickstart_is_examined_once_its_stores_are_there(tools: Path, tmp_path: Path) -> None:
    assert "doctor" not in operated(rendered(tools, tmp_path, quickstart()))
    upgraded = rendered(tools, tmp_path, quickstart(), "quick-upgrade")
    weights = {
        job["metadata"]["name"]: int(job["metadata"]["annotations"]["helm.sh/hook-weight"])
        for job in upgraded.of("Job")
    }
    named = sorted(weights, key=lambda name: weights[name])
    assert [name.rsplit("-")[-1] for name in named[:2]] == ["prepare", "doctor"]


def test_while_a_backup_is_brought_back_nothing_else_touches_the_stores(tools: Path, tmp_path: Path) -> None:
    manifests = rendered(tools, tmp_path, {**production(), "restore": {"folder": FOLDER, "overwrite": True}})
    assert {each["spec"]["replicas"] for each in manifests.of("Deployment")} == {0}
    assert not manifests.of("HorizontalPodAutoscaler")
    assert not manifests.of("ScaledObject")
    assert not manifests.of("CronJob")
    (job,) = manifests.of("Job")
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["command"][1:] == ["restore", f"/backups/{FOLDER}", "--wait", "300", "--overwrite"]
    assert job["spec"]["backoffLimit"] == 0


def test_backups_of_a_quickstart_reach_its_stores(tools: Path, tmp_path: Path) -> None:
    manifests = rendered(tools, tmp_path, quickstart(backup={"enabled": True, "claim": "backups"}))
    assert {arrow.target for arrow in manifests.allowed_out() if arrow.source == "backup"} == {
        "postgres",
        "kafka",
        "s3",
    }
    assert {arrow.target for arrow in manifests.allowed_in() if arrow.source == "backup"} == {
        "postgres",
        "kafka",
        "s3",
    }


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"backup": {"enabled": True}}, "backup.claim must name"),
        ({"backup": {"enabled": True, "claim": "a", "schedule": "daily"}}, "schedule"),
        ({"backup": {"enabled": True, "claim": "a", "keep": 0}}, "keep"),
        ({"restore": {"folder": "../elsewhere"}, "backup": {"claim": "a"}}, "folder"),
        ({"backup": {"enabled": True, "claim": "a", "into": "b"}}, "into"),
    ],
)
def test_values_that_can_not_be_used_are_refused(
    tools: Path, tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    result = render(tools, tmp_path, {**quickstart(), **change})
    assert result.returncode == 1
    assert named in result.stdout


def test_backups_need_an_administrator_of_the_brokers(tools: Path, tmp_path: Path) -> None:
    values = production()
    del values["kafka"]["administratorSecret"]
    result = render(tools, tmp_path, values)
    assert result.returncode == 1
    assert "kafka.administratorSecret must name a Secret" in result.stdout
