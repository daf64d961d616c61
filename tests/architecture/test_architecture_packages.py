"""Review of installed packages: reasons, use, licences, known vulnerabilities."""

import json
import sys
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_local.layout import checkout

sys.path.insert(0, str(checkout() / "scripts"))
import check_packages
import check_vulnerabilities
from check_vulnerabilities import NOT_LOOKED_UP

RULES = yaml.safe_load((checkout() / "deploy" / "requirements" / "licences.yaml").read_text())
LOCK = "flask==3.1.2\nurllib3==2.8.0\n"
ADVICE = {
    "id": "PYSEC-2026-1",
    "summary": "It leaks.",
    "affected": [
        {
            "package": {"name": "flask", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "3.1.9"}]}],
        }
    ],
}
DAY = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("read_answer", "licence", "allowed"),
    [
        (("MIT", [], ""), "MIT", True),
        (("Apache-2.0 OR GPL-3.0-only", [], ""), "Apache-2.0 OR GPL-3.0-only", True),
        (("MIT AND (MPL-2.0 OR GPL-3.0-only)", [], ""), "MIT AND (MPL-2.0 OR GPL-3.0-only)", True),
        (("MIT AND AGPL-3.0-only", [], ""), "MIT AND AGPL-3.0-only", False),
        (("", ["License :: OSI Approved :: BSD License"], "a long text"), "BSD-3-Clause", True),
        (("", ["License :: Other/Proprietary License"], "Apache 2.0\nmore"), "Apache-2.0", True),
        (("", [], "do as you like"), "do as you like", False),
        (("", [], ""), "", False),
    ],
)
def test_a_licence_is_read_from_wherever_it_stands(
    read_answer: tuple[str, list[str], str], licence: str, allowed: bool
) -> None:
    found = check_packages.spdx(*read_answer, RULES["written"])
    assert (found, check_packages.is_allowed(found, set(RULES["allowed"]))) == (licence, allowed)


def test_a_direct_dependency_has_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.in").write_text("# A list.\n-c y.txt\nflask  # HTTP\njgo[cli]\npandas<3  #\n")
    assert list(check_packages.direct(tmp_path / "x.in")) == [("flask", "HTTP"), ("jgo", ""), ("pandas", "")]
    monkeypatch.setattr(check_packages, "REQUIREMENTS", tmp_path)
    assert [line.split(": ")[1].split()[0] for line in check_packages.without_reason()] == ["jgo", "pandas"]


def test_what_nothing_imports_or_runs_is_unused() -> None:
    assert check_packages.is_used("hypothesis")
    assert check_packages.is_used("types-psutil")
    assert check_packages.is_used("squawk-cli")
    assert not check_packages.is_used("-".join(("license", "expression")))


@pytest.fixture
def service() -> Iterator[str]:
    """The address of a vulnerability service with one entry, for one version of Flask."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            is_it = asked == {"package": {"name": "flask", "ecosystem": "PyPI"}, "version": "3.1.2"}
            body = json.dumps({"vulns": [ADVICE]} if is_it else {}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1/query"
    server.shutdown()


def looked_up(folder: Path, address: str, lock: str, accepted: str, *options: str) -> int:
    (folder / "lock.txt").write_text(lock)
    (folder / "accepted.yaml").write_text(accepted)
    asked = ["--vulnerability-service=osv", f"--osv-url={address}"]
    return check_vulnerabilities.main([*options, str(folder / "lock.txt"), *asked], folder / "accepted.yaml")


@pytest.mark.parametrize(
    ("lock", "accepted", "status", "expected"),
    [
        pytest.param("urllib3==2.8.0\n", "[]", 0, "1 of 1 packages looked up", id="nothing is known"),
        pytest.param(LOCK, "[]", 1, "flask has PYSEC-2026-1 (3.1.2, mended by 3.1.9)", id="not accepted"),
        pytest.param(
            LOCK,
            "[{package: flask, id: PYSEC-2026-1, reason: it is not called, until: 9999-01-01}]",
            0,
            "2 of 2 packages looked up",
            id="accepted",
        ),
        pytest.param(
            LOCK,
            "[{package: flask, id: PYSEC-2026-1, reason: it is not called, until: 2026-01-01}]",
            1,
            "accepted until 2026-01-01: look at it again",
            id="accepted for too long",
        ),
        pytest.param(
            LOCK,
            "[{package: flask, id: PYSEC-2026-1, reason: ' ', until: 9999-01-01}]",
            1,
            "accepted without a reason",
            id="no reason",
        ),
        pytest.param(
            "flask==3.1.9\n",
            "[{package: flask, id: PYSEC-2026-1, reason: it is not called, until: 9999-01-01}]",
            1,
            "flask no longer has PYSEC-2026-1",
            id="accepted for nothing",
        ),
    ],
)
def test_a_known_vulnerability_is_refused_unless_it_is_accepted(
    service: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    lock: str,
    accepted: str,
    status: int,
    expected: str,
) -> None:
    assert looked_up(tmp_path, service, lock, accepted) == status
    assert expected in capsys.readouterr().out


def test_an_unreachable_service_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = "http://127.0.0.1:1/v1/query"
    assert looked_up(tmp_path, nowhere, LOCK, "[]") == NOT_LOOKED_UP
    assert looked_up(tmp_path, nowhere, LOCK, "[]", "--lint") == 0
    assert capsys.readouterr().err.count("NO package was looked up") == 2


def test_packages_that_the_service_does_not_know_are_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = {
        "dependencies": [
            {"name": "flask", "skip_reason": "not found"},
            {"name": "rich", "version": "1", "vulns": []},
        ]
    }
    found = check_vulnerabilities.read_answer(skipped)
    assert (found.asked, found.unknown) == ({"flask", "rich"}, {"flask"})
    assert check_vulnerabilities.problems(found, [], DAY) == []
