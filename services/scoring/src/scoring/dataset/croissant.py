"""A dataset in Croissant 1.0: JSON-LD that names its files, their checksums and their columns."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.dataset.description import DataFile, Dataset
from scoring.dataset.rows import Field

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
        "license": SPDX + dataset.licence if " " not in dataset.licence else dataset.licence,
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
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{file.split}/{name}",
                "name": f"{file.split}/{name}",
                "dataType": data_type,
                "source": {"fileObject": {"@id": file.path}, "extract": {"column": name}},
            }
            for name, data_type in _columns(dataset)
        ],
    }


def _columns(dataset: Dataset) -> Iterator[tuple[str, str]]:
    yield "id", "sc:Text"
    yield from _flat("context", dataset.fields.context)
    yield from _flat("input", dataset.fields.input)
    for name in ("label", "claimed", "split", "verdict", "resolution", "condition", "cohort", "author"):
        yield name, "sc:Text"
    yield "fooled", "sc:Boolean"


def _flat(part: str, fields: tuple[Field, ...]) -> Iterator[tuple[str, str]]:
    for field in fields:
        yield f"{part}_{field.name}", "sc:Text"
