"""A page package is found by its folder: its routes, its templates, its scripts and style sheets."""

import shutil
import sys
from pathlib import Path

import pytest
import web
from web_fake_platform import FakePlatform
from web_visiting import Visitor, pages_over

ADDITION = Path(__file__).parent / "additions" / "models"
FILES = ["__init__.py", "routes.py", "page.html"]
PACKAGE = Path(web.__file__).parent


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Add a page package next to the others and return its folder."""
    shutil.copytree(ADDITION, tmp_path / "models", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(web, "__path__", [*web.__path__, str(tmp_path)])
    for name in ("web.models", "web.models.routes"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path / "models"


def test_a_page_is_three_files_in_one_folder(added: Path, fake: FakePlatform) -> None:
    assert sorted(path.name for path in added.iterdir()) == sorted(FILES)
    visitor = Visitor(pages_over(fake).test_client())
    visitor.sign_in("ada")
    found = visitor.get("/tasks/sentiment/models")
    assert found.status_code == 200
    assert "Models that fit" in found.text
    assert "<li>" in found.text


def test_scripts_and_sheets_of_a_room_are_served_with_its_pages(added: Path, fake: FakePlatform) -> None:
    (added / "glow.js").write_text('export const selector = "[data-glow]";\nexport function attach() {}\n')
    (added / "glow.css").write_text(".glow { color: var(--accent); }\n")
    visitor = Visitor(pages_over(fake).test_client())
    page = visitor.get("/").text
    sheet = page.split('rel="stylesheet" href="')[1].split('"')[0]
    assert ".glow {" in visitor.get(sheet).text
    behaviours = page.split('type="module" src="')[1].split('"')[0]
    assert './models/glow.js"' in visitor.get(behaviours).text
    for name in ("glow.js", "glow.css"):
        assert visitor.get(behaviours.replace("behaviours.js", f"models/{name}")).status_code == 200


def test_only_scripts_sheets_and_pictures_are_served(fake: FakePlatform) -> None:
    visitor = Visitor(pages_over(fake).test_client())
    base = (
        visitor.get("/")
        .text.split('type="module" src="')[1]
        .split("behaviours.js")[0]
        .removesuffix("kit/vendor/")
    )
    for name in ("settings.py", "create/page.html", "configure/templates/labels.yaml"):
        assert (PACKAGE / name).exists()
        assert visitor.get(base + name).status_code == 404
