"""The platform's own services as parts of the stack."""

import os
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path

from dynabench_common.service_tokens import CALLERS

from dynabench_local import crowd_platforms, kafka, metrics, postgres, seaweedfs, secret_store, torchserve
from dynabench_local.layout import Layout, replica
from dynabench_local.part import Part, answers, reason_of

WITH_DATABASE = ("accounts", "annotation", "validation", "leaderboard", "scoring", "registry", "crowd")
WITH_HTTP = (*WITH_DATABASE, "gateway", "web")
WORKER_FIRST = frozenset({"leaderboard", "registry"})
"""Services whose HTTP process starts after the worker, since it serves the worker's data; boards take long to build."""
CALLED = ("accounts", "annotation", "crowd", "gateway", "registry", "agent")
"""The services that other services call; the rest are called only by people and anonymous visitors."""
AGENT = "torchserve-agent"
EVALUATOR = "scoring-evaluator"
WORKER_AFTER = {"registry": (AGENT,)}
EXTENSIONS = "DYNABENCH_EXTENSIONS"
"""A folder of modules that add to the language of tasks and to the pages, as CONTRIBUTING shows."""
SIGN_UPS_PER_HOUR = "2000"
"""Limit for one address: at the edge of the loopback interface all people have the same one."""
SIGNING_IN = ("SECOND_FACTOR_REQUIRED", "SIGN_IN_ISSUERS")
"""Settings of accounts that the environment may give."""
FRONT_MODEL = "sentiment-words"
"""The model that anonymous visitors may query on the front page; no demo round has it as a target."""
DIGEST_WAIT_SECONDS = "20"
"""Delay of a digest if mails go to a folder: nobody waits an hour while trying the platform."""
MAIL = ("SMTP_HOST", "SMTP_PORT", "SMTP_USER", "SMTP_PASSWORD", "SMTP_TLS", "MAIL_SENDER")
REMEDY = "Read its log; the last lines say what it lacked."
USUAL_DRAIN_SECONDS = 20
DRAIN_SECONDS = {"annotation": 35, "gateway": 65, "scoring": 50, "web": 35}
"""Time for open work after a process gets the signal to stop, as its settings say."""
MEMORY_GIVEN_BACK = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "131072"}
"""Settings of the C library: few pools for threads, and large blocks mapped, so that freed memory is returned.

After 24 hashed passwords the process occupies 96 MiB, without these settings 250.
"""


SITE_TEXTS = "SITE_"
"""Prefix of the operator's texts for the pages about the site."""
CROWD = "CROWD_"
"""Prefix of the settings of crowd that the environment may give."""
PLATFORMS = "CROWD_PLATFORMS"
PATIENCE = "TARGET_PATIENCE_SECONDS"
TRACING = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_SAMPLER_ARG")
"""Tracing variables that every process gets from the environment."""


def environment(layout: Layout, secrets: dict[str, str], service: str) -> dict[str, str]:
    """Return every setting of a service, as its first replica has them."""
    settings = {
        "HTTP_BIND": f"127.0.0.1:{layout.http_port(f'{service}-http')}",
        "LOG_LEVEL": os.environ.get("LOG_LEVEL", "INFO"),
        "PUBLIC_URL": layout.public_url,
        "PUBLIC_ORIGINS": ",".join(layout.origins),
        "JWKS_URL": layout.url("accounts") + "/api/accounts/v1/jwks",
        **_identity(secrets, service),
        "KAFKA_BOOTSTRAP_SERVERS": kafka.service_address(layout, secrets, service),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **{f"{name.upper()}_URL": layout.url(name) for name in WITH_HTTP},
    }
    settings |= {name: value for name, value in os.environ.items() if name.startswith(SITE_TEXTS)}
    if os.environ.get(EXTENSIONS):
        settings["PYTHONPATH"] = os.environ[EXTENSIONS]
    if service in WITH_DATABASE:
        settings["DATABASE_URL"] = postgres.service_url(layout, secrets, service)
    if service in {"annotation", "scoring", "registry"}:
        settings["S3_ENDPOINT_URL"] = seaweedfs.endpoint_url(layout)
        settings["S3_BUCKET"] = seaweedfs.BUCKET
        settings.update(seaweedfs.credentials(secrets))
    if service in {"annotation", "scoring", "registry", "web"}:
        settings["S3_PUBLIC_ENDPOINT_URL"] = seaweedfs.public_endpoint_url(layout)
    if service in {"accounts", "web"}:
        settings.update(_mail(layout))
    if service in {"annotation", "gateway"}:
        settings["HTTP_REPLICAS"] = str(layout.replicas)
    if service == "annotation":
        settings["FRONT_MODEL"] = FRONT_MODEL
    if service == "accounts":
        settings["SIGNING_KEY_FILE"] = str(layout.home / "accounts" / "signing-key.json")
        settings["SIGN_UPS_PER_HOUR"] = SIGN_UPS_PER_HOUR
        settings.update({name: os.environ[name] for name in SIGNING_IN if name in os.environ})
        settings.update(MEMORY_GIVEN_BACK)
        if "MAIL_FOLDER" in settings:
            settings["DIGEST_WAIT_SECONDS"] = DIGEST_WAIT_SECONDS
    if service == "crowd":
        settings.update(_crowd(layout))
    if service == "gateway":
        settings["TORCHSERVE_INFERENCE_URL"] = layout.url("torchserve_inference")
        settings["TORCHSERVE_KEY_FILE"] = str(torchserve.key_file(layout))
    if service == "registry":
        settings["AGENT_URL"] = layout.url("torchserve_agent")
        settings["MODELS_FILE"] = str(layout.models_file)
        settings["WORK_FOLDER"] = str(layout.home / "registry" / "checks")
        settings |= {name: os.environ[name] for name in (PATIENCE,) if name in os.environ}
    return settings


def agent_environment(layout: Layout, secrets: dict[str, str]) -> dict[str, str]:
    """Return every setting of TorchServe's agent; it needs neither database nor Kafka."""
    sources = ("model-archives/src", "services/tasks/src")
    return {
        "HTTP_BIND": f"127.0.0.1:{layout.port('torchserve_agent')}",
        "LOG_LEVEL": os.environ.get("LOG_LEVEL", "INFO"),
        "JWKS_URL": layout.url("accounts") + "/api/accounts/v1/jwks",
        **_identity(secrets, "agent"),
        "TORCHSERVE_INFERENCE_URL": layout.url("torchserve_inference"),
        "TORCHSERVE_MANAGEMENT_URL": layout.url("torchserve_management"),
        "TORCHSERVE_KEY_FILE": str(torchserve.key_file(layout)),
        "MODEL_STORE": str(layout.model_store),
        "BUILD_FOLDER": str(layout.home / "torchserve-agent" / "builds"),
        "SANDBOX_FOLDER": str(layout.home / "sandboxes"),
        "JAVA_HOME": str(kafka.JAVA_HOME),
        "SERVING_PYTHON": str(layout.serving_python),
        "PACKAGING_SOURCES": os.pathsep.join(str(layout.checkout / each) for each in sources),
        "S3_ENDPOINT_URL": seaweedfs.endpoint_url(layout),
        "S3_BUCKET": seaweedfs.BUCKET,
        **seaweedfs.credentials(secrets),
    }


def _identity(secrets: dict[str, str], service: str) -> dict[str, str]:
    """Return the service's own token, and the digests of its callers."""
    settings = {}
    if service in CALLERS:
        settings["SERVICE_TOKEN"] = secrets[f"service_token_{service}"]
    if service in CALLED:
        settings["SERVICE_TOKEN_DIGESTS"] = secret_store.service_token_digests(secrets)
    return settings


def _crowd(layout: Layout) -> dict[str, str]:
    """Return the crowd platforms and pay rates: those of the environment, else the data folder's own list."""
    given = {name: value for name, value in os.environ.items() if name.startswith(CROWD)}
    return {PLATFORMS: str(crowd_platforms.ensured(layout)), **given}


def _mail(layout: Layout) -> dict[str, str]:
    """Return the destination of mails: the server in the environment, else a folder."""
    if os.environ.get("SMTP_HOST"):
        return {name: os.environ[name] for name in MAIL if name in os.environ}
    return {"MAIL_FOLDER": str(layout.home / "mail")}


def parts(layout: Layout, secrets: dict[str, str]) -> list[Part]:
    """Return the processes of every service in no particular order."""
    numbers = range(1, layout.replicas + 1)
    found = [_http(layout, secrets, service, number) for service in WITH_HTTP for number in numbers]
    found += [_worker(layout, secrets, service, number) for service in WITH_DATABASE for number in numbers]
    found += [_evaluator(layout, secrets, number) for number in numbers]
    found.append(_agent(layout, secrets))
    return [_watched(layout, secrets, part) for part in found]


def _watched(layout: Layout, secrets: dict[str, str], part: Part) -> Part:
    traces = {name: os.environ[name] for name in TRACING if os.environ.get(name)}
    variables = {**part.environment, **metrics.settings(layout, secrets, part.name), **traces}
    return replace(part, environment=variables)


def _http(layout: Layout, secrets: dict[str, str], service: str, number: int) -> Part:
    settings = environment(layout, secrets, service)
    first = f"{service}-http"
    name = replica(first, number)
    address = f"127.0.0.1:{layout.http_port(name)}"
    migrates = number == 1 and service in WITH_DATABASE and service not in WORKER_FIRST
    after = {
        "gateway": ("registry-http",),
        "web": (),
        **{each: (f"{each}-worker",) for each in WORKER_FIRST},
    }
    return Part(
        name=name,
        command=(str(layout.scripts / service), "http"),
        directory=_folder(layout, service),
        environment={**settings, "HTTP_BIND": address},
        after=after.get(service, ("postgres",)) if number == 1 else (first,),
        prepare=partial(_migrate, layout, secrets, service) if migrates else lambda: None,
        is_ready=partial(answers, f"http://{address}/healthz/ready"),
        waits_for=partial(reason_of, f"http://{address}/healthz/ready"),
        stop_seconds=DRAIN_SECONDS.get(service, USUAL_DRAIN_SECONDS) + 5,
        remedy=REMEDY,
    )


def _worker(layout: Layout, secrets: dict[str, str], service: str, number: int) -> Part:
    settings = environment(layout, secrets, service)
    first = f"{service}-worker"
    is_first = service in WORKER_FIRST
    after = ("postgres" if is_first else f"{service}-http", "kafka", *WORKER_AFTER.get(service, ()))
    return Part(
        name=replica(first, number),
        command=(str(layout.scripts / service), "worker"),
        directory=_folder(layout, service),
        environment=settings,
        after=after if number == 1 else (first,),
        prepare=partial(_migrate, layout, secrets, service) if is_first and number == 1 else lambda: None,
        stop_seconds=USUAL_DRAIN_SECONDS + 5,
        remedy=REMEDY,
    )


def _agent(layout: Layout, secrets: dict[str, str]) -> Part:
    return Part(
        name=AGENT,
        command=(str(layout.scripts / "model-agent"), "http"),
        directory=_folder(layout, AGENT),
        environment=agent_environment(layout, secrets),
        after=("torchserve",),
        is_ready=partial(answers, layout.url("torchserve_agent") + "/healthz/ready"),
        waits_for=partial(reason_of, layout.url("torchserve_agent") + "/healthz/ready"),
        stop_seconds=USUAL_DRAIN_SECONDS + 5,
        remedy=REMEDY,
    )


def _evaluator(layout: Layout, secrets: dict[str, str], number: int) -> Part:
    return Part(
        name=replica(EVALUATOR, number),
        command=(str(layout.scripts / "scoring"), "evaluator"),
        directory=_folder(layout, EVALUATOR),
        environment=environment(layout, secrets, "scoring"),
        after=("scoring-http", "gateway-http"),
        stop_seconds=USUAL_DRAIN_SECONDS + 5,
        remedy=REMEDY,
    )


def _folder(layout: Layout, service: str) -> Path:
    folder = layout.home / service
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _migrate(layout: Layout, secrets: dict[str, str], service: str) -> None:
    """Migrate a service's tables as their owner; no lasting process gets the owner's address."""
    settings = {
        **environment(layout, secrets, service),
        "DATABASE_OWNER_URL": postgres.owner_url(layout, secrets, service),
    }
    result = subprocess.run(
        [str(layout.scripts / service), "migrate"],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        raise RuntimeError(
            f"{service}'s migrations failed: {(result.stderr or result.stdout).strip()[-800:]}"
        )
