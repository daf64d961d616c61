"""No line of a log holds an API token, wherever it came from."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from dynabench_common.telemetry.logging import configure_logging, get_logger

TOKEN = "dbt_" + "aB3-_" * 8


@pytest.fixture(autouse=True)
def own_logging() -> Iterator[None]:
    handlers, level, before = logging.root.handlers[:], logging.root.level, structlog.get_config()
    yield
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)
    structlog.configure(**before)


def test_tokens_are_masked_in_whatever_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("probe")
    log = get_logger("probe")
    log.info("request_served", path=f"/v1/tokens/{TOKEN}", headers={"Authorization": [f"Bearer {TOKEN}"]})
    logging.getLogger("a.library").warning("refused: token=%s&x=1", TOKEN)
    try:
        raise ValueError(TOKEN)
    except ValueError:
        log.exception("request_failed")
    lines = capsys.readouterr().err.splitlines()
    assert len([json.loads(line) for line in lines]) == 3
    assert not [line for line in lines if "aB3" in line]
    assert all("dbt_***" in line for line in lines)
