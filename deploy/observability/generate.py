"""Write rules/objectives.yaml and the dashboards from the tables below: `python deploy/observability/generate.py`.

Burn rates as in the SRE workbook, chapter 5: an alert needs a long window, which shows that it matters, and a short
one, which shows that it continues.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
WINDOWS = ("5m", "30m", "1h", "6h", "3d")
BURNS = (
    (14.4, "1h", "5m", "page", "2m"),
    (6.0, "6h", "30m", "page", "5m"),
    (1.0, "3d", "6h", "ticket", "1h"),
)
"""Factor of the budget's even burn over 30 days, long and short window, severity, and minimum duration."""
VERDICTS = 'result=~"fooled|not_fooled|undecided|unknown"'


@dataclass(frozen=True)
class Objective:
    """An objective: at most a share `budget` of `what` fails over 30 days; `bad` has {window} in it."""

    name: str
    alert: str
    what: str
    budget: float
    bad: str


def _share(bad: str, total: str) -> str:
    """Return the share of a total, without a value while the total is 0."""
    return f"(({bad}) or vector(0)) / (({total}) > 0)"


OBJECTIVES = (
    Objective(
        "verdicts_missing",
        "VerdictsMissing",
        "tries without a verdict",
        0.005,
        _share(
            'sum(rate(dynabench_verdict_seconds_count{{result=~"undecidable|failed"}}[{window}]))',
            'sum(rate(dynabench_verdict_seconds_count{{result!="refused"}}[{window}]))',
        ),
    ),
    Objective(
        "verdicts_late",
        "VerdictsLate",
        "verdicts that took over 1 s",
        0.01,
        "1 - "
        + _share(
            f'sum(rate(dynabench_verdict_seconds_bucket{{{{{VERDICTS},le="1.0"}}}}[{{window}}]))',
            f"sum(rate(dynabench_verdict_seconds_count{{{{{VERDICTS}}}}}[{{window}}]))",
        ),
    ),
    Objective(
        "events_late",
        "EventsLate",
        "events that took over 5 s to have their effect",
        0.01,
        "1 - "
        + _share(
            'sum(rate(dynabench_event_age_seconds_bucket{{le="5.0"}}[{window}]))',
            "sum(rate(dynabench_event_age_seconds_count[{window}]))",
        ),
    ),
    Objective(
        "evaluations_old",
        "EvaluationsOld",
        "time in which some evaluation waited for over an hour",
        0.01,
        "avg_over_time((max(dynabench_evaluation_age_seconds) > bool 3600)[{window}:1m])",
    ),
)
PANELS = (
    (
        "Requests a second, by service",
        "reqps",
        "sum by (service) (rate(dynabench_http_request_seconds_count[5m]))",
    ),
    (
        "Share of requests answered with 5xx, by service",
        "percentunit",
        'sum by (service) (rate(dynabench_http_request_seconds_count{status="5xx"}[5m])) '
        "/ sum by (service) (rate(dynabench_http_request_seconds_count[5m]))",
    ),
    (
        "Time of the slowest 5 % of requests, by service",
        "s",
        "histogram_quantile(0.95, sum by (service, le) (rate(dynabench_http_request_seconds_bucket[5m])))",
    ),
    (
        "Verdicts a minute, by origin and result",
        "short",
        "60 * sum by (origin, result) (rate(dynabench_verdict_seconds_count[5m]))",
    ),
    (
        "Time of the slowest 5 % of tries, by origin",
        "s",
        "histogram_quantile(0.95, sum by (origin, le) (rate(dynabench_verdict_seconds_bucket[5m])))",
    ),
    (
        "Calls for predictions a second, by model and result",
        "reqps",
        "sum by (model, result) (rate(dynabench_prediction_seconds_count[5m]))",
    ),
    (
        "Age of events when they had their effect, slowest 1 %, by consumer",
        "s",
        "histogram_quantile(0.99, sum by (consumer, le) (rate(dynabench_event_age_seconds_bucket[5m])))",
    ),
    ("Events that wait for a consumer", "short", "sum by (consumer) (dynabench_consumer_behind_events)"),
    ("Age of the first unsent event, by service", "s", "max by (service) (dynabench_outbox_age_seconds)"),
    ("Unsent events, by service", "short", "max by (service) (dynabench_outbox_waiting_events)"),
    (
        "Dead letters and quarantined events, by service",
        "short",
        "(sum by (service) (max by (service, consumer) (dynabench_dead_letters)) "
        "or 0 * max by (service) (dynabench_outbox_parked_events)) "
        "+ on (service) max by (service) (dynabench_outbox_parked_events)",
    ),
    ("Targets of open rounds, by state", "short", "max by (state) (dynabench_open_round_targets)"),
    ("Served models, by pool and state", "short", "max by (pool, state) (dynabench_served_models)"),
    ("Evaluations that have not ended, by state", "short", "max by (state) (dynabench_evaluations_waiting)"),
    ("Shards of evaluations that have not ended", "short", "max by (state) (dynabench_evaluation_shards)"),
    (
        "Oldest that waits: evaluation, release, submission, mail",
        "s",
        'label_replace(max(dynabench_evaluation_age_seconds), "what", "evaluation", "", "") '
        'or label_replace(max(dynabench_release_age_seconds), "what", "release", "", "") '
        'or label_replace(max(dynabench_submission_age_seconds), "what", "submission", "", "") '
        'or label_replace(max(dynabench_mail_age_seconds), "what", "mail", "", "")',
    ),
    ("Submissions that are checked, by step", "short", "max by (step) (dynabench_submissions_checking)"),
    (
        "Examples that wait for votes, and leased ones",
        "short",
        'label_replace(max(dynabench_validation_waiting_examples), "what", "waiting", "", "") '
        'or label_replace(max(dynabench_validation_leases), "what", "leased", "", "")',
    ),
    ("Age of the oldest example that waits for votes", "s", "max(dynabench_validation_age_seconds)"),
)


def rules() -> dict[str, Any]:
    """Return the rules of all objectives, in one group: alerts use the values recorded just before them."""
    alerts = [_alert(each, *burn) for each in OBJECTIVES for burn in BURNS]
    recorded = [
        {"record": _record(each, window), "expr": each.bad.format(window=window)}
        for each in OBJECTIVES
        for window in WINDOWS
    ]
    return {
        "groups": [
            {"name": "objectives", "interval": "30s", "rules": [*recorded, *alerts]},
        ]
    }


def _record(objective: Objective, window: str) -> str:
    return f"dynabench:{objective.name}:ratio_{window}"


def _alert(
    objective: Objective, factor: float, long: str, short: str, severity: str, lasting: str
) -> dict[str, Any]:
    limit = f"({factor} * {objective.budget})"
    both = [f"{_record(objective, window)} > {limit}" for window in (long, short)]
    budget = f"{objective.budget:.1%}".replace(".0%", "%")
    return {
        "alert": objective.alert,
        "expr": " and ".join(both),
        "for": lasting,
        "labels": {"severity": severity, "window": long},
        "annotations": {
            "summary": f"{{{{ $value | humanizePercentage }}}} over {long}: {objective.what}; "
            f"allowed over 30 days: {budget}",
            "runbook": f"deploy/observability/runbooks.md#{objective.alert.lower()}",
        },
    }


def dashboard() -> dict[str, Any]:
    """Return the dashboard: symptoms above, causes below."""
    panels = [
        {
            "id": number + 1,
            "title": title,
            "type": "timeseries",
            "datasource": {"type": "prometheus", "uid": "${datasource}"},
            "gridPos": {"h": 8, "w": 8, "x": number % 3 * 8, "y": number // 3 * 8},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "targets": [{"refId": "A", "expr": expression}],
        }
        for number, (title, unit, expression) in enumerate(PANELS)
    ]
    source = {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Prometheus"}
    return {
        "uid": "dynabench",
        "title": "Dynabench",
        "schemaVersion": 39,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [source]},
        "panels": panels,
    }


def files() -> dict[Path, str]:
    """Return the files' content by path. The rules are JSON, which is YAML too."""
    return {
        HERE / "rules" / "objectives.yaml": json.dumps(rules(), indent=1) + "\n",
        HERE / "dashboards" / "dynabench.json": json.dumps(dashboard(), indent=1) + "\n",
    }


def main() -> None:
    """Write the files."""
    for path, text in files().items():
        path.write_text(text)


if __name__ == "__main__":
    main()
