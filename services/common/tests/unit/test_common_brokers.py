"""Addresses and credentials of Kafka brokers."""

import pytest
from dynabench_common.events.brokers import connection, connection_of


def test_an_address_without_a_user_signs_nobody_in() -> None:
    assert connection("one:9092,two:9092") == {"bootstrap_servers": ["one:9092", "two:9092"]}


@pytest.mark.parametrize(
    ("scheme", "protocol", "mechanism"),
    [
        ("scram", "SASL_PLAINTEXT", "SCRAM-SHA-256"),
        ("scram-tls", "SASL_SSL", "SCRAM-SHA-256"),
        ("scram512", "SASL_PLAINTEXT", "SCRAM-SHA-512"),
        ("scram512-tls", "SASL_SSL", "SCRAM-SHA-512"),
        ("plain", "SASL_PLAINTEXT", "PLAIN"),
        ("plain-tls", "SASL_SSL", "PLAIN"),
    ],
)
def test_an_address_has_user_password_and_mechanism(scheme: str, protocol: str, mechanism: str) -> None:
    settings = connection(f"{scheme}://ada:p%40ss:word@one:9092,two:9092")
    assert settings == {
        "bootstrap_servers": ["one:9092", "two:9092"],
        "security_protocol": protocol,
        "sasl_mechanism": mechanism,
        "sasl_plain_username": "ada",
        "sasl_plain_password": "p@ss:word",
    }
    assert connection_of({**settings, "acks": "all", "ssl_cafile": None}) == settings


def test_an_address_names_who_may_sign_for_the_brokers() -> None:
    settings = connection("scram512-tls://ada:what?!@one:9093?authorities=/etc/trusted/kafka.crt")
    assert (settings["bootstrap_servers"], settings["sasl_plain_password"]) == (["one:9093"], "what?!")
    assert connection_of(settings)["ssl_cafile"] == "/etc/trusted/kafka.crt"


@pytest.mark.parametrize("address", ["ftp://ada:x@one:9092", "scram://one:9092", "ada:x@one:9092"])
def test_an_address_that_is_not_understood_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(ValueError, match="scram://USER:PASSWORD") as refused:
        connection(address)
    assert "x@one" not in str(refused.value)
