"""Two copies of the checkout on one data folder."""

from pathlib import Path

from dynabench_local.layout import Layout, note_use


def test_another_copy_is_named_until_it_is_gone(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    home = tmp_path / "home"
    assert note_use(Layout(first, home, 8080)) == []
    assert note_use(Layout(first, home, 8080)) == []
    assert note_use(Layout(second, home, 8080)) == [first]
    assert note_use(Layout(first, home, 8080)) == [second]
    second.rmdir()
    assert note_use(Layout(first, home, 8080)) == []
