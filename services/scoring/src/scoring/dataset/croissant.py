"""A dataset in Croissant 1.0: JSON-LD that names its files, their checksums and their columns."""

from collections.abc import Mapping
from typing import Any

from scoring.dataset.columns import BOOLEAN, INTEGER, MOMENT, NUMBER, TEXT, Type, columns
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
SCALARS = {
    TEXT: "sc:Text",
    BOOLEAN: "sc:Boolean",
    INTEGER: "sc:Integer",
    NUMBER: "sc:Float",
    MOMENT: "sc:DateTime",
}
SPDX = "https://spdx.org/licenses/"


def document(dataset: Dataset) -> dict[str, Any]:
    """Return the description; addresses are relative to the folder that the files lie in."""
    data = dataset.loaded(".parquet")
    pictures = () if dataset.pictures is None else (dataset.pictures,)
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
        "distribution": [_file(file) for file in (*data, *pictures)],
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
        "field": [_described(file, column.name, column.data_type) for column in columns(dataset.fields)],
    }


def _described(file: DataFile, name: str, data_type: Type) -> dict[str, Any]:
    """Return a column; each part of a structure is found in the column by its name."""
    if isinstance(data_type, str):
        return _field(file, name, SCALARS[data_type])
    if isinstance(data_type, Mapping):
        parts = {part: SCALARS[kind] for part, kind in data_type.items() if isinstance(kind, str)}
        return _structure(file, name, parts)
    return {**_described(file, name, data_type[0]), "repeated": True}


def _structure(file: DataFile, name: str, parts: Mapping[str, str]) -> dict[str, Any]:
    place = f"{file.split}/{name}"
    return {
        "@type": "cr:Field",
        "@id": place,
        "name": place,
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
