"""Views of datasets: rows, shares as counted, lines to copy, the card without its head."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from dynabench_client.results.datasets import Dataset
from web.datasets.cards import card_view
from web.datasets.loading import folder_lines, load_lines, terminal_lines
from web.datasets.view import dataset_view, input_name
from web.kit.isolation import name
from web.kit.numbers import size
from web.kit.released import dataset_row
from web_fake_datasets import CARD, DATASET_ID, dataset, file

BASE = f"https://example.org/api/scoring/v1/datasets/{DATASET_ID}"
ROUND = "0198c0de-0000-7000-8000-000000000000"


def made(**more: Any) -> Dataset:
    return Dataset.blank(**dataset(ROUND, **more))


def test_a_row_counts_all_splits_in_their_order() -> None:
    row = dataset_row(made())
    assert row.examples == "1,204"
    assert list(row.sizes.items()) == [("train", "964"), ("dev", "120"), ("test", "120")]
    assert row.name == name("sentiment-r2") + ", version 1"


def test_a_bare_dataset_has_dashes_and_no_shares() -> None:
    view = dataset_view(Dataset.blank(dataset_id=DATASET_ID), BASE)
    assert view.row.title == DATASET_ID
    assert (view.row.examples, view.row.licence) == ("0", "–")
    assert [(examples, share) for _, examples, share, _ in view.splits] == [("0", "–")] * 3
    assert (view.rates, view.excluded, view.tables, view.files) == ([], [], [], [])


def test_shares_say_what_they_are_made_of() -> None:
    rates = {rate.name: (rate.value, rate.counted) for rate in dataset_view(made(), BASE).rates}
    assert rates["Fool rate"] == ("33.4\u00a0%", "410 of 1,227 tries fooled a model")
    assert rates["Confirmed fool rate"] == ("21.5\u00a0%", "264 confirmed errors in 1,227 tries")
    assert rates["Confirmed, of those that fooled"] == (
        "85.2\u00a0%",
        "264 of 310 checked tries that fooled a model",
    )
    assert rates["Agreement"][1].startswith("351 examples, over the first two votes")
    assert rates["Agreement beyond chance"][0] == "0.712"


@pytest.mark.parametrize(
    ("name", "value", "left_out"),
    [
        ("mer", None, "Fool rate"),
        ("vmer", None, "Confirmed fool rate"),
        ("fooled_resolved", 0, "Confirmed, of those that fooled"),
        ("agreement", {"basis": "all_votes", "examples": 0, "raw": None}, "Agreement"),
        ("agreement", None, "Agreement beyond chance"),
    ],
)
def test_a_share_that_means_nothing_is_left_out(name: str, value: Any, left_out: str) -> None:
    found = dataset(ROUND)
    found["about"]["collected"][name] = value
    assert left_out not in {rate.name for rate in dataset_view(Dataset.blank(**found), BASE).rates}


def test_only_reasons_that_occur_are_named() -> None:
    assert dataset_view(made(), BASE).excluded == [
        "14 withdrawn by the author",
        "6 found unfit",
        "3 decided without a label of the task",
    ]


def test_python_loads_every_split_that_has_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    library = SimpleNamespace(load_dataset=lambda kind, data_files: (kind, data_files))
    monkeypatch.setitem(sys.modules, "datasets", library)
    namespace: dict[str, Any] = {}
    exec(load_lines(made(), BASE), namespace)
    files = {split: f"{BASE}/files/data/{split}.parquet" for split in ("train", "dev", "test")}
    assert namespace["data"] == ("parquet", files)
    emptied = [
        {**each, "examples": 0} if each["split"] == "dev" else each for each in dataset(ROUND)["files"]
    ]
    assert '"dev"' not in load_lines(made(files=emptied), BASE)
    assert load_lines(made(files=[]), BASE) == ""


def test_a_folder_is_loaded_as_a_whole_where_its_cards_name_no_empty_split() -> None:
    files = dataset(ROUND)["files"]
    assert "load_dataset(" not in folder_lines(made(files=files))
    assert "load_dataset(str(folder))" in folder_lines(made(files=[*files, file("jsonl/README.md")]))
    assert folder_lines(made(files=[])) == ""


def test_a_folder_with_pictures_says_how_a_row_finds_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = dataset(ROUND)["files"]
    recipe = folder_lines(made(files=[*files, file("pictures.zip")])).split("\n\n")
    assert "pictures" not in folder_lines(made(files=files))
    with ZipFile(tmp_path / "pictures.zip", "w") as archive:
        archive.writestr("0198.jpg", b"a cat")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    exec("\n".join((recipe[0], recipe[-1])), namespace)
    assert eval("pictures.read(names['0198'])", namespace) == b"a cat"


def test_names_of_files_break_neither_addresses_nor_commands() -> None:
    found = made(files=[{**file("data/x.parquet", "train"), "path": "data/a b'$(id)?.parquet"}])
    assert dataset_view(found, BASE).files[0].address == f"{BASE}/files/data/a%20b%27%24%28id%29%3F.parquet"
    assert """-o 'data/a b'"'"'$(id)?.parquet' """ in terminal_lines(found, BASE)


def test_the_card_is_shown_without_its_head_and_its_limits_apart() -> None:
    card = card_view(CARD)
    assert "pretty_name" not in card.body
    assert "<script>" not in card.body
    assert card.limits is not None
    assert "<strong>in English</strong>" in card.limits
    assert "Citation" not in card.limits
    assert 'href="javascript:' not in card.limits


@pytest.mark.parametrize("text", ["", "---\n", "---\nno end", "# Only a title", "---\r\na: b\r\n---\r\nText"])
def test_no_card_breaks_the_page(text: str) -> None:
    card = card_view(text)
    assert card.limits is None
    assert "a: b" not in card.body


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ([{"name": "the_claim", "type_name": "string"}], "the claim"),
        ([{"name": "a", "type_name": "string"}, {"name": "b", "type_name": "string"}], "input"),
        ([{"name": "a", "type_name": "image"}], "input"),
        (None, "input"),
    ],
)
def test_what_people_write_is_named_where_it_is_one_text(inputs: Any, expected: str) -> None:
    found = dataset(ROUND)
    found["about"]["fields"]["input"] = inputs
    assert input_name(Dataset.blank(**found)) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (48_213, "48.2 kB"), (5 * 10**12, "5,000.0 GB")],
)
def test_sizes_have_a_fitting_unit(number: int, expected: str) -> None:
    assert size(number).replace("\u00a0", " ") == expected
