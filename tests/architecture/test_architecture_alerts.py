"""Rules, dashboards and runbooks name existing metrics, and the rules behave as intended in promtool."""

import importlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_common.database.figures import INBOX, OUTBOX, READ
from prometheus_client import REGISTRY

from tests.faults import shorter

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "deploy" / "observability"
COUNTING = (
    "dynabench_common.telemetry.metrics",
    "annotation.service_layer.try_metrics",
    "gateway.service_layer.predictions",
)
WITH_FIGURES = ("accounts", "validation", "scoring", "evaluation", "registry")
NOT_SHOWN = {"dynabench_events_dead_lettered"}
"""Counters for manual queries; the alert rules use the present number of dead letters."""


def registered() -> set[str]:
    """Return the names of all metrics, as they are defined."""
    for module in COUNTING:
        importlib.import_module(module)
    counted = {metric.name for metric in REGISTRY.collect() if metric.name.startswith("dynabench_")}
    figures = [*OUTBOX, *INBOX]
    for service in WITH_FIGURES:
        figures += importlib.import_module(f"{service}.adapters.figures").FIGURES
    return {*counted, *(figure.name for figure in figures), READ}


def rules() -> list[dict[str, Any]]:
    """Return every rule."""
    files = [yaml.safe_load(path.read_text()) for path in sorted((FOLDER / "rules").glob("*.yaml"))]
    return [rule for file in files for group in file["groups"] for rule in group["rules"]]


def named_in(expressions: list[str]) -> set[str]:
    """Return the metrics that expressions name, without what histograms add to their names."""
    found = {name for each in expressions for name in re.findall(r"\bdynabench_\w+", each)}
    return {re.sub(r"_(count|sum|bucket)$", "", name) for name in found}


def shown() -> set[str]:
    dashboards = [json.loads(path.read_text()) for path in (FOLDER / "dashboards").glob("*.json")]
    panels = [
        target["expr"] for board in dashboards for panel in board["panels"] for target in panel["targets"]
    ]
    return named_in([*panels, *(rule["expr"] for rule in rules())])


def test_rules_and_dashboards_name_the_metrics_that_there_are() -> None:
    assert shown() <= registered()
    assert registered() - shown() == NOT_SHOWN


def test_every_alert_has_a_runbook_and_every_runbook_an_alert() -> None:
    headings = set(re.findall(r"^## (\w+)$", (FOLDER / "runbooks.md").read_text(), re.MULTILINE))
    alerts = {rule["alert"]: rule["annotations"]["runbook"] for rule in rules() if "alert" in rule}
    assert headings == set(alerts)
    for alert, link in alerts.items():
        path, _, anchor = link.partition("#")
        assert (ROOT / path).is_file()
        assert anchor == alert.lower()


def test_written_files_are_those_of_the_tables() -> None:
    program = (FOLDER / "generate.py").read_text()
    made: dict[str, Any] = {"__file__": str(FOLDER / "generate.py"), "__name__": "generate"}
    exec(compile(program, "generate.py", "exec"), made)
    assert {path: path.read_text() for path in made["files"]()} == made["files"]()


def promtool(*arguments: str) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not there: apt-get install prometheus")
    done = subprocess.run([program, *arguments], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_takes_the_rules() -> None:
    promtool("check", "rules", *(str(path) for path in sorted((FOLDER / "rules").glob("*.yaml"))))


def test_prometheus_takes_the_configuration_for_compose(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "compose" / "prometheus.yml").read_text()
    token = tmp_path / "token"
    token.touch()
    mounted = {"/etc/prometheus/rules": str(FOLDER / "rules"), "/tmp/token": str(token)}
    for inside, here in mounted.items():
        assert inside in text
        text = text.replace(inside, here)
    file = tmp_path / "prometheus.yml"
    file.write_text(text)
    promtool("check", "config", str(file))


@pytest.mark.slow
def test_alerts_fire_and_resolve() -> None:
    promtool("test", "rules", "alert_tests.yaml")


def test_quarantined_events_show_on_the_dashboard_without_dead_letters(tmp_path: Path) -> None:
    board = json.loads((FOLDER / "dashboards" / "dynabench.json").read_text())
    panel = next(each for each in board["panels"] if each["title"].startswith("Dead letters and quarantined"))
    series = (
        ('dynabench_outbox_parked_events{service="annotation"}', 2),
        ('dynabench_outbox_parked_events{service="validation"}', 1),
        ('dynabench_dead_letters{service="validation", consumer="validation"}', 3),
    )
    test = {
        "interval": "1m",
        "input_series": [{"series": name, "values": f"{value}x2"} for name, value in series],
        "promql_expr_test": [
            {
                "expr": panel["targets"][0]["expr"],
                "eval_time": "1m",
                "exp_samples": [
                    {"labels": '{service="annotation"}', "value": 2},
                    {"labels": '{service="validation"}', "value": 4},
                ],
            }
        ],
    }
    file = tmp_path / "panel.yaml"
    file.write_text(yaml.safe_dump({"tests": [test]}))
    promtool("test", "rules", str(file))


@pytest.mark.parametrize(
    ("expression", "made"),
    [
        ("rate(a[5m]) > 60", "rate(a[30000ms]) > 60"),
        ("max_over_time((a > bool 3600)[1h30m:1m])", "max_over_time((a > bool 3600)[540000ms:6000ms])"),
        ("a:ratio_5m > (14.4 * 0.01)", "a:ratio_5m > (14.4 * 0.01)"),
    ],
)
def test_windows_of_rules_are_divided_and_thresholds_are_not(expression: str, made: str) -> None:
    assert shorter.expression(expression, 10) == made


@pytest.mark.parametrize("expression", ["rate(a[1w])", "a offset 5m"])
def test_a_window_that_can_not_be_divided_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match="can't be divided"):
        shorter.expression(expression, 10)


def test_shortened_rules_are_the_shipped_ones_but_for_their_durations() -> None:
    shipped = rules()
    made = shorter.shortened(shipped, 10)
    lasting = {"1m": "6000ms", "2m": "12000ms", "5m": "30000ms", "10m": "60000ms", "1h": "360000ms"}
    for before, after in zip(shipped, made, strict=True):
        assert after.get("for") == (lasting[before["for"]] if "for" in before else None)
        assert re.sub(r"\[[^\]]*\]", "", after["expr"]) == re.sub(r"\[[^\]]*\]", "", before["expr"])
        assert {**after, "for": "", "expr": ""} == {**before, "for": "", "expr": ""}
