"""PostgreSQL requires passwords, topics keep their events, objects can be read back."""

import re
from uuid import uuid4

import boto3
import psycopg2
import pytest
import urllib3
from botocore.exceptions import ClientError
from dynabench_common.events.brokers import connection
from dynabench_common.testing import wait_until
from dynabench_local import kafka, topics
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient
from kafka.errors import GroupAuthorizationFailedError, KafkaError, TopicAuthorizationFailedError
from kafka.structs import OffsetAndMetadata
from mypy_boto3_s3 import S3Client

from conftest import Infrastructure


def plain(url: str) -> str:
    return url.replace("+psycopg2", "")


def test_a_role_reaches_its_own_database_alone(infrastructure: Infrastructure) -> None:
    first, second = (plain(infrastructure.create_database("sample")) for _ in range(2))
    psycopg2.connect(first).close()
    foreign = first.rsplit("/", 1)[0] + "/" + second.rsplit("/", 1)[1]
    with pytest.raises(psycopg2.OperationalError, match="permission denied"):
        psycopg2.connect(foreign)


def test_a_wrong_password_is_refused(infrastructure: Infrastructure) -> None:
    url = plain(infrastructure.create_database("sample")).replace(":test@", ":wrong@")
    with pytest.raises(psycopg2.OperationalError, match="password authentication failed"):
        psycopg2.connect(url)


def test_topics_are_made_once_and_keep_their_events(infrastructure: Infrastructure) -> None:
    prefix = f"t{uuid4().hex[:8]}."
    infrastructure.create_topics(prefix)
    infrastructure.create_topics(prefix)
    wanted = {prefix + document["topic"]: document["partitions"] for document in topics.documents()}
    dead = {prefix + document["dead_letter"] for document in topics.documents()}
    admin = KafkaAdminClient(**connection(infrastructure.kafka_bootstrap_servers))
    try:
        assert wanted.keys() | dead <= set(admin.list_topics())
        described = admin.describe_topics(sorted(wanted))
        assert {topic["topic"]: len(topic["partitions"]) for topic in described} == wanted
        name = next(iter(wanted))
        (answer,) = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name)])
        (resource,) = answer.resources
        assert {entry[0]: entry[1] for entry in resource[4]}["retention.ms"] == "-1"
    finally:
        admin.close()


def test_a_test_s_topics_are_removed_and_no_others(infrastructure: Infrastructure) -> None:
    prefix = f"t{uuid4().hex[:8]}."
    own = {document["topic"] for document in topics.documents()}
    infrastructure.create_topics(prefix)
    assert topic_names(infrastructure) > own | {prefix + name for name in own}
    infrastructure.remove_topics()
    wait_until(
        lambda: not any(name.startswith(prefix) for name in topic_names(infrastructure)), what="the removal"
    )
    assert topic_names(infrastructure) > own


def topic_names(infrastructure: Infrastructure) -> set[str]:
    admin = KafkaAdminClient(**connection(infrastructure.kafka_bootstrap_servers))
    try:
        return set(admin.list_topics())
    finally:
        admin.close()


def test_a_store_refuses_wrong_keys(infrastructure: Infrastructure) -> None:
    def client(secret: str) -> S3Client:
        made: S3Client = boto3.client(
            "s3",
            endpoint_url=infrastructure.s3_endpoint_url,
            region_name="us-east-1",
            aws_access_key_id=infrastructure.s3_access_key,
            aws_secret_access_key=secret,
        )
        return made

    right = client(infrastructure.s3_secret_key)
    right.put_object(Bucket=infrastructure.s3_bucket, Key="sample", Body=b"text")
    assert right.get_object(Bucket=infrastructure.s3_bucket, Key="sample")["Body"].read() == b"text"
    with pytest.raises(ClientError, match=r"SignatureDoesNotMatch|AccessDenied"):
        client("wrong").get_object(Bucket=infrastructure.s3_bucket, Key="sample")


@pytest.mark.parametrize(("is_own", "status"), [(True, 200), (False, 403)])
def test_pages_of_the_one_origin_may_send_objects(
    infrastructure: Infrastructure, is_own: bool, status: int
) -> None:
    origin = infrastructure.stack.layout.public_url if is_own else "https://elsewhere.example"
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "content-type",
    }
    url = f"{infrastructure.s3_endpoint_url}/{infrastructure.s3_bucket}/incoming/sample"
    answer = urllib3.PoolManager(retries=False).request("OPTIONS", url, headers=asked)
    assert answer.status == status
    assert (answer.headers.get("Access-Control-Allow-Origin") == origin) == is_own
    assert (answer.headers.get("Access-Control-Expose-Headers") == "ETag") == is_own
    assert "GET" not in answer.headers.get("Access-Control-Allow-Methods", "")


@pytest.fixture
def annotation_address(infrastructure: Infrastructure) -> str:
    stack = infrastructure.stack
    return kafka.service_address(stack.layout, stack.secrets, "annotation")


@pytest.mark.parametrize(
    ("topic", "may"),
    [
        # A topic that the service writes by its file, one that it only reads, and dead letters of both.
        ("dynabench.example.v1", True),
        ("dynabench.validation.v1", False),
        ("dynabench.validation.v1.dlq", True),
        ("dynabench.example.v1.dlq", False),
    ],
)
def test_a_service_writes_what_is_its_own(annotation_address: str, topic: str, may: bool) -> None:
    producer = KafkaProducer(**connection(annotation_address))
    try:
        sent = producer.send(topic, key=b"nobody's", value=b"")
        if may:
            sent.get(timeout=30)
        else:
            with pytest.raises(TopicAuthorizationFailedError):
                sent.get(timeout=30)
    finally:
        producer.close(timeout=5)


@pytest.mark.parametrize(("group", "may"), [("annotation-sample", True), ("leaderboard", False)])
def test_a_service_reads_in_groups_of_its_own(annotation_address: str, group: str, may: bool) -> None:
    consumer = KafkaConsumer(group_id=group, enable_auto_commit=False, **connection(annotation_address))
    place = TopicPartition("dynabench.validation.v1", 0)
    try:
        consumer.assign([place])
        if may:
            consumer.commit({place: OffsetAndMetadata(0, "", -1)})
        else:
            with pytest.raises(GroupAuthorizationFailedError):
                consumer.commit({place: OffsetAndMetadata(0, "", -1)})
    finally:
        consumer.close(autocommit=False)


def test_nobody_signs_in_with_a_wrong_password(annotation_address: str) -> None:
    wrong = re.sub(":[0-9a-f]+@", ":wrong@", annotation_address)
    with pytest.raises(KafkaError):
        KafkaAdminClient(**connection(wrong), api_version_auto_timeout_ms=5_000)
