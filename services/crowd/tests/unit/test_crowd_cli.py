"""The command line names what is wrong in one line."""

import sys

import pytest
from crowd.entrypoints.cli import main


@pytest.mark.parametrize("verb", ["http", "worker", "migrate"])
def test_missing_settings_are_named(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(sys, "argv", ["crowd", verb])
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("crowd: ")
    assert "DATABASE_URL" in complaint
