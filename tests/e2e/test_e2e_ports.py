"""Another user on the same machine finds no open port, file or process without a credential, and no unplanned one."""

import os
import stat
from typing import Any

import pytest
from dynabench_local.layout import span

from tests.ports_open import WAYS, is_loopback, listeners, probe_access, probe_ports


def test_every_port_lies_in_the_span_and_on_the_loopback_interface(platform: Any) -> None:
    layout = platform.stack.layout
    found = listeners(layout)
    planned = range(layout.port_base, layout.port_base + span(layout.replicas))
    assert [each for each in found if each.port not in planned or not is_loopback(each.address)] == []
    names = {port: name for name, port in layout.ports.items()}
    assert [each for each in found if names.get(each.port) not in WAYS] == []


def test_no_port_is_open_without_a_credential(platform: Any) -> None:
    layout = platform.stack.layout
    names = {port: name for name, port in layout.ports.items()}
    answers = probe_ports({names[each.port]: each.port for each in listeners(layout)})
    assert len(answers) >= 20
    assert {name: answer for name, answer in answers.items() if answer != "refused"} == {}


def test_files_with_secrets_are_their_users_alone(platform: Any) -> None:
    secret = [*platform.home.glob("seaweedfs/certificates/*"), *platform.home.glob("kafka/*.properties")]
    secret += [platform.home / "secrets.json", platform.home / "accounts" / "signing-key.json"]
    assert len(secret) >= 5
    open_to_others = [path for path in secret if stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert open_to_others == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_a_program_of_nobody_opens_no_file_and_signals_no_process(platform: Any) -> None:
    assert probe_access(platform.stack.layout) == {"files": "refused", "processes": "refused"}
