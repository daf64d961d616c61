"""A dataset in Croissant 1.0: JSON-LD that names its files, their checksums and their columns."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.dataset.description import DataFile, Dataset

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
SPDX = "https://spdx.org/licenses/"


def document(dataset: Dataset) -> dict[str, Any]:
    """Return the description; addresses are relative to the folder that the files lie in."""
    data = [file for file in dataset.files if file.path.endswith(".parquet")]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": dataset.name,
        "description": dataset.description or dataset.title,
        "version": f"{dataset.version}.0.0",
        "license": SPDX + dataset.licence if dataset.has_spdx_licence else dataset.licence,
        "url": dataset.name,
        "citeAs": dataset.citation,
        "datePublished": dataset.as_of.date().isoformat(),
        "inLanguage": list(dataset.languages),
        "distribution": [_file(file) for file in data],
        "recordSet": [_records(file, dataset) for file in data],
    }


def addressed(document: Mapping[str, Any], url: str) -> dict[str, Any]:
    """Return the description of a dataset at `url`, whose files are served under `url`/files."""
    files = [{**file, "contentUrl": f"{url}/files/{file['contentUrl']}"} for file in document["distribution"]]
    return {**document, "url": url, "distribution": files}


def _file(file: DataFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": file.media_type,
        "sha256": file.sha256,
    }


def _records(file: DataFile, dataset: Dataset) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": file.split,
        "name": file.split,
        "field": [*_flat(file, dataset), *_lists(file, dataset), *_structures(file, dataset)],
    }


def _flat(file: DataFile, dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Yield the columns of one value a row."""
    fields = dataset.fields
    yield _field(file, "id", "sc:Text")
    for part, members in (
        ("context", fields.context),
        ("input", fields.input),
        ("metadata", fields.metadata),
    ):
        for member in members:
            yield _field(file, f"{part}_{member.name}", "sc:Text")
    for name in ("label", "claimed", "split", "verdict", "resolution", "condition", "cohort", "author"):
        yield _field(file, name, "sc:Text")
    yield _field(file, "fooled", "sc:Boolean")
    yield _field(file, "segment", "sc:Integer")
    yield _field(file, "created_at", "sc:Date")


def _lists(file: DataFile, dataset: Dataset) -> Iterator[dict[str, Any]]:
    for name in ("golds", "tags", *(("targets_not_asked",) if dataset.fields.has_tiers else ())):
        yield {**_field(file, name, "sc:Text"), "repeated": True}


def _structures(file: DataFile, dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Yield the columns of structures, and of lists of them; each part is found in the column by its name."""
    yield _structure(
        file, "targets", {"name": "sc:Text", "answer": "sc:Text", "wrong": "sc:Boolean"}, repeated=True
    )
    yield _structure(file, "votes", {"option": "sc:Text", "voter": "sc:Text"}, repeated=True)
    if dataset.fields.has_stability:
        parts = {"name": "sc:Text", "stable": "sc:Boolean", "repeated": "sc:Integer"}
        yield _structure(file, "stability", parts, repeated=True)
    if dataset.fields.has_free_text:
        yield _structure(file, "explanations", {"label": "sc:Text", "model": "sc:Text"}, repeated=False)


def _structure(file: DataFile, name: str, parts: Mapping[str, str], *, repeated: bool) -> dict[str, Any]:
    place = f"{file.split}/{name}"
    return {
        "@type": "cr:Field",
        "@id": place,
        "name": place,
        **({"repeated": True} if repeated else {}),
        "subField": [
            {
                "@type": "cr:Field",
                "@id": f"{place}/{part}",
                "name": f"{place}/{part}",
                "dataType": data_type,
                "source": {**_column(file, name), "transform": {"jsonPath": part}},
            }
            for part, data_type in parts.items()
        ],
    }


def _field(file: DataFile, name: str, data_type: str) -> dict[str, Any]:
    place = f"{file.split}/{name}"
    return {
        "@type": "cr:Field",
        "@id": place,
        "name": place,
        "dataType": data_type,
        "source": _column(file, name),
    }


def _column(file: DataFile, name: str) -> dict[str, Any]:
    return {"fileObject": {"@id": file.path}, "extract": {"column": name}}
