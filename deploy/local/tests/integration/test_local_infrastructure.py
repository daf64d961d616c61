"""PostgreSQL asks for passwords, topics keep their events, objects come back."""

from uuid import uuid4

import boto3
import psycopg2
import pytest
import urllib3
from botocore.exceptions import ClientError
from dynabench_local import topics
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient


def plain(url: str) -> str:
    return url.replace("+psycopg2", "")


def test_a_role_reaches_its_own_database_alone(infrastructure) -> None:
    first, second = (plain(infrastructure.create_database("sample")) for _ in range(2))
    psycopg2.connect(first).close()
    foreign = first.rsplit("/", 1)[0] + "/" + second.rsplit("/", 1)[1]
    with pytest.raises(psycopg2.OperationalError, match="permission denied"):
        psycopg2.connect(foreign)


def test_a_wrong_password_is_refused(infrastructure) -> None:
    url = plain(infrastructure.create_database("sample")).replace(":test@", ":wrong@")
    with pytest.raises(psycopg2.OperationalError, match="password authentication failed"):
        psycopg2.connect(url)


def test_topics_are_made_once_and_keep_their_events(infrastructure) -> None:
    prefix = f"t{uuid4().hex[:8]}."
    infrastructure.create_topics(prefix)
    infrastructure.create_topics(prefix)
    wanted = {prefix + document["topic"]: document["partitions"] for document in topics.documents()}
    dead = {prefix + document["dead_letter"] for document in topics.documents()}
    admin = KafkaAdminClient(bootstrap_servers=infrastructure.kafka_bootstrap_servers)
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


def test_a_store_refuses_wrong_keys(infrastructure) -> None:
    def client(secret: str):
        return boto3.client(
            "s3",
            endpoint_url=infrastructure.s3_endpoint_url,
            region_name="us-east-1",
            aws_access_key_id=infrastructure.s3_access_key,
            aws_secret_access_key=secret,
        )

    right = client(infrastructure.s3_secret_key)
    right.put_object(Bucket=infrastructure.s3_bucket, Key="sample", Body=b"text")
    assert right.get_object(Bucket=infrastructure.s3_bucket, Key="sample")["Body"].read() == b"text"
    with pytest.raises(ClientError, match=r"SignatureDoesNotMatch|AccessDenied"):
        client("wrong").get_object(Bucket=infrastructure.s3_bucket, Key="sample")


@pytest.mark.parametrize(("is_own", "status"), [(True, 200), (False, 403)])
def test_pages_of_the_one_origin_may_send_objects(infrastructure, is_own: bool, status: int) -> None:
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
