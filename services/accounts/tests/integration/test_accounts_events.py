"""From a command to Kafka: what others hear of a person."""

import threading

from accounts.bootstrap import build_worker
from accounts.settings import AccountsSettings
from dynabench.person.v1 import person_pb2
from dynabench_common.testing import EventProbe
from dynabench_common.work.worker import Component

from conftest import Infrastructure

from .conftest import Api

TOPIC = "dynabench.person.v1"
KINDS = (person_pb2.PersonRegistered, person_pb2.PersonRolesChanged)


def test_the_worker_sends_what_happened_to_a_person_in_order(
    api: Api, administrator: Api, infrastructure: Infrastructure, accounts_settings: AccountsSettings
) -> None:
    infrastructure.create_topics(accounts_settings.kafka_topic_prefix)
    ada = api.new_person("ada")
    administrator.call("PUT", f"/people/{ada.person_id}/roles", {"roles": ["owner:sentiment"]})
    stop = threading.Event()

    def start(component: Component) -> threading.Thread:
        thread = threading.Thread(target=component.run, args=(stop,))
        thread.start()
        return thread

    threads = [start(component) for component in build_worker(accounts_settings)]
    probe = EventProbe(accounts_settings.kafka_bootstrap_servers, accounts_settings.kafka_topic_prefix)
    try:
        heard = probe.events(TOPIC, KINDS, at_least=3)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        probe.close()
    about_ada = [event for event in heard if str(event.aggregate_id) == ada.person_id]
    assert [event.aggregate_version for event in about_ada] == [1, 2]
    assert isinstance(about_ada[0].message, person_pb2.PersonRegistered)
    assert isinstance(about_ada[1].message, person_pb2.PersonRolesChanged)
    assert list(about_ada[1].message.roles) == ["annotator", "owner:sentiment"]
    assert {event.source for event in heard} == {"/accounts"}
