"""The command line says what is wrong in one line."""

import sys

import pytest
from validation.entrypoints.cli import main


@pytest.mark.parametrize("verb", ["http", "worker", "migrate", "rebuild"])
def test_missing_settings_are_named(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(sys, "argv", ["validation", verb])
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("validation: ")
    assert "DATABASE_URL" in complaint
