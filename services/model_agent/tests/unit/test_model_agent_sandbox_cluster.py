"""Requests to the Kubernetes API, and a pod's state from its answers."""

import json
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from model_agent.sandbox import ClusterPods
from model_agent.sandbox.cluster import PodsRefused, Seen
from model_agent.sandbox.cluster_client import seen

from tests.authorities import Authority

PATH = "/api/v1/namespaces/strangers/pods"


class Cluster:
    """Fake API server that records requests and returns a preset answer."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[tuple[str, str, str, Any]] = []
        self.status = 200
        self.answer: Any = {}
        authority = Authority("cluster")
        certificate, key = authority.sign(folder, "127.0.0.1")
        authority.write(folder / "ca.crt")
        (folder / "token").write_text("first\n")
        cluster = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                token = str(self.headers["Authorization"])
                cluster.asked.append((self.command, self.path, token, json.loads(body or b"null")))
                data = (
                    cluster.answer
                    if isinstance(cluster.answer, bytes)
                    else json.dumps(cluster.answer).encode()
                )
                self.send_response(cluster.status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_DELETE = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.close()


@pytest.fixture
def pods(cluster: Cluster, tmp_path: Path) -> ClusterPods:
    return ClusterPods("127.0.0.1", cluster.port, "strangers", tmp_path)


def test_each_call_is_the_one_it_should_be(cluster: Cluster, pods: ClusterPods) -> None:
    pods.create({"kind": "Pod"})
    pods.see("one")
    pods.delete("one")
    cluster.answer = {"items": [{"metadata": {"name": "one"}}]}
    assert pods.names({"b": "2", "a": "1"}) == ["one"]
    cluster.answer = b"abcdef"
    assert pods.printed("one", 3) == "def"
    assert [(method, path, body) for method, path, _, body in cluster.asked] == [
        ("POST", f"{PATH}?", {"kind": "Pod"}),
        ("GET", f"{PATH}/one?", None),
        ("DELETE", f"{PATH}/one?gracePeriodSeconds=1", None),
        ("GET", f"{PATH}?labelSelector=a%3D1%2Cb%3D2", None),
        ("GET", f"{PATH}/one/log?tailLines=2000", None),
    ]


def test_a_token_that_was_renewed_is_used(cluster: Cluster, pods: ClusterPods, tmp_path: Path) -> None:
    pods.see("one")
    (tmp_path / "token").write_text("second")
    pods.see("one")
    assert [token for _, _, token, _ in cluster.asked] == ["Bearer first", "Bearer second"]


def test_what_is_not_there_is_no_matter(cluster: Cluster, pods: ClusterPods) -> None:
    cluster.status = 404
    assert pods.see("one") is None
    assert pods.printed("one", 10) == ""
    pods.delete("one")


def test_a_namespace_that_is_not_there_is(cluster: Cluster, pods: ClusterPods) -> None:
    cluster.status, cluster.answer = 404, {"message": 'namespaces "strangers" not found'}
    with pytest.raises(PodsRefused, match='refuses with 404: namespaces "strangers" not found'):
        pods.create({})


def test_a_refusal_says_why(cluster: Cluster, pods: ClusterPods) -> None:
    cluster.status, cluster.answer = 403, {"message": "exceeded quota: few"}
    with pytest.raises(PodsRefused, match="the cluster refuses with 403: exceeded quota: few"):
        pods.create({})
    assert pods.printed("one", 10) == ""
    cluster.answer = b"<html>"
    with pytest.raises(PodsRefused, match="403: <html>"):
        pods.delete("one")


def test_nobody_there_and_another_authority_are_refused(
    cluster: Cluster, pods: ClusterPods, tmp_path: Path
) -> None:
    Authority("another").write(tmp_path / "ca.crt")
    with pytest.raises(PodsRefused, match="the cluster does not answer"):
        ClusterPods("127.0.0.1", cluster.port, "strangers", tmp_path).see("one")
    cluster.close()
    with pytest.raises(PodsRefused, match="the cluster does not answer"):
        pods.see("one")


def test_a_pod_without_a_token_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(PodsRefused, match="has no service account with a token"):
        ClusterPods("127.0.0.1", 1, "strangers", tmp_path)


def status(state: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"status": {"containerStatuses": [{"state": state}], **more}}


@pytest.mark.parametrize(
    ("pod", "expected"),
    [
        ({}, Seen()),
        (status({"running": {}}, podIP="10.0.0.7"), Seen("10.0.0.7", is_running=True)),
        (
            status({"waiting": {"reason": "ImagePullBackOff", "message": "no such image"}}),
            Seen(waits="ImagePullBackOff: no such image"),
        ),
        (
            status({"terminated": {"reason": "OOMKilled", "exitCode": 137}}),
            Seen(ended="it ran out of memory", status=137),
        ),
        (
            status({"terminated": {"reason": "Error", "exitCode": 3}}, phase="Failed"),
            Seen(ended="it ended by itself with status 3", status=3),
        ),
        (
            {
                "status": {
                    "phase": "Failed",
                    "reason": "Evicted",
                    "message": "Pod ephemeral local storage usage exceeds the total limit",
                    "conditions": [{"type": "DisruptionTarget", "status": "True"}],
                }
            },
            Seen(ended="Pod ephemeral local storage usage exceeds the total limit"),
        ),
        (
            {"status": {"phase": "Failed", "reason": "Evicted", "message": "The node was low on memory."}},
            Seen(ended="The node was low on memory.", was_taken_away=True),
        ),
        (
            {
                "status": {
                    "conditions": [
                        {
                            "type": "PodScheduled",
                            "status": "False",
                            "reason": "Unschedulable",
                            "message": "0/1 nodes",
                        }
                    ]
                }
            },
            Seen(waits="Unschedulable: 0/1 nodes"),
        ),
    ],
)
def test_a_pod_is_read(pod: dict[str, Any], expected: Seen) -> None:
    assert seen(pod) == expected
