"""Archives that mean harm, or are simply broken, made by code and never stored.

`refused()` are those that the scan must refuse, each with the code of its finding. `handlers()` are programs that
misbehave when they run: archives with code, for the sandbox.
"""

import gzip
import io
import json
import pickle
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping

MANIFEST = "MAR-INF/MANIFEST.json"
LABELS = ("negative", "neutral", "positive")
DIGEST = "sha256:" + "0" * 64


def weights(**tensors: bytes) -> bytes:
    """Return safetensors with one-dimensional tensors of bytes."""
    header, data = {}, b""
    for name, content in (tensors or {"weight": b"\x00" * 8}).items():
        offsets = [len(data), len(data) + len(content)]
        header[name] = {"dtype": "U8", "shape": [len(content)], "data_offsets": offsets}
        data += content
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def manifest(handler: str = "dynabench_handler.py") -> bytes:
    """Return a manifest as TorchServe reads it."""
    model = {"modelName": "tiny", "modelVersion": "1", "handler": handler}
    return json.dumps({"runtime": "python", "model": model, "archiverVersion": "0.12.0"}).encode()


def description(**changes: object) -> bytes:
    """Return what an archive says of itself."""
    description: dict[str, object] = {
        "name": "tiny",
        "version": "1",
        "task_type": "text-classification",
        "fields": ["text"],
        "labels": list(LABELS),
        "max_tokens": 64,
        "model_digest": DIGEST,
        "handler_digest": DIGEST,
    }
    return json.dumps({**description, **changes}).encode()


def declarative(**changes: bytes | None) -> dict[str, bytes]:
    """Return the entries of a good archive of data alone; a change to None leaves one out."""
    entries: dict[str, bytes | None] = {
        MANIFEST: manifest(),
        "config.json": json.dumps({"architectures": ["BertForSequenceClassification"]}).encode(),
        "dynabench.json": description(),
        "model.safetensors": weights(),
        "tokenizer.json": b"{}",
        **changes,
    }
    return {path: content for path, content in entries.items() if content is not None}


def with_code(handler: str, **more: bytes) -> dict[str, bytes]:
    """Return the entries of an archive whose handler is this program."""
    return {
        MANIFEST: manifest("handler.py"),
        "dynabench.json": description(),
        "handler.py": handler.encode(),
        **more,
    }


def packed(entries: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """Return a zip of the entries in their order."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for path, content in entries.items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content, method)
    return file.getvalue()


class Payload:
    """An object that runs a command when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        import os

        return os.system, ("echo owned",)


def pickled() -> bytes:
    """Return a pickle that would run a command."""
    return pickle.dumps(Payload(), protocol=2)


def torch_pickle() -> bytes:
    """Return weights as torch writes them: a zip with a pickle in it."""
    return packed({"archive/data.pkl": pickled(), "archive/version": b"3"})


def symbolic_link() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path, content in declarative().items():
            archive.writestr(path, content)
        link = zipfile.ZipInfo("vocab.txt")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return file.getvalue()


def device() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        node = zipfile.ZipInfo("vocab.txt")
        node.create_system = 3
        node.external_attr = (stat.S_IFCHR | 0o666) << 16
        archive.writestr(node, b"")
    return file.getvalue()


def twice(path: str, other: str) -> bytes:
    """Return an archive with two entries whose names are equal, or nearly so."""
    good = declarative()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in good.items():
            archive.writestr(name, content)
        archive.writestr(other, good[path])
    return file.getvalue()


def changed(data: bytes, at: int, instead: bytes) -> bytes:
    """Return the bytes with some of them replaced."""
    return data[:at] + instead + data[at + len(instead) :]


def central_flags(data: bytes, flags: int) -> bytes:
    """Set flags of the first entry in both of its headers."""
    central = data.index(b"PK\x01\x02")
    wanted = struct.pack("<H", flags)
    return changed(changed(data, 6, wanted), central + 8, wanted)


def two_names() -> bytes:
    """Return an archive whose first entry has another name in its own header."""
    data = packed({"vocab.txt": b"x", **declarative()})
    return changed(data, 30, b"merge.txt")


def overlapping() -> bytes:
    """Return an archive two of whose entries share their bytes, as in a bomb without nesting."""
    data = packed({"vocab.txt": b"same", "merges.txt": b"same"})
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    first_header = struct.pack("<L", 0)
    data = changed(data, second + 42, first_header)
    return changed(data, second + 46, b"vocab.txt\x00"[:10])


def deflate_bomb(size: int = 300_000_000) -> bytes:
    """Return an archive of some hundred kilobytes with an entry of `size` bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("vocab.txt", "w") as entry:
        for _ in range(size // 1_000_000):
            entry.write(b"\x00" * 1_000_000)
    return file.getvalue()


def lying_bomb() -> bytes:
    """Return an entry that claims ten bytes and holds ten million."""
    data = packed({"vocab.txt": b"\x00" * 10_000_000}, zipfile.ZIP_DEFLATED)
    central = data.index(b"PK\x01\x02")
    ten = struct.pack("<L", 10)
    return changed(changed(data, 22, ten), central + 24, ten)


def renamed_tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("config.json")
        member.size = 2
        archive.addfile(member, io.BytesIO(b"{}"))
    return file.getvalue()


def hidden_bytes() -> bytes:
    """Return an archive with bytes between its last entry and its directory."""
    data = packed(declarative())
    central, end = data.index(b"PK\x01\x02"), data.rindex(b"PK\x05\x06")
    start = struct.unpack_from("<L", data, end + 16)[0]
    moved = changed(data, end + 16, struct.pack("<L", start + 7))
    return moved[:central] + b"payload" + moved[central:]


def after_the_stream() -> bytes:
    """Return a deflated entry with bytes behind the end of its stream."""
    content = b"word " * 100
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = packer.compress(content) + packer.flush() + b"hidden"
    head = struct.pack(
        "<4s2B4HL2L2H",
        b"PK\x03\x04",
        20,
        0,
        0,
        8,
        0,
        33,
        zlib.crc32(content),
        len(stream),
        len(content),
        9,
        0,
    )
    central = struct.pack(
        "<4s4B4HL2L5H2L",
        b"PK\x01\x02", 20, 0, 20, 0, 0, 8, 0, 33, zlib.crc32(content), len(stream), len(content), 9, 0, 0, 0, 0, 0, 0,
    )  # fmt: skip
    body = head + b"vocab.txt" + stream
    directory = central + b"vocab.txt"
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), len(body), 0)
    return body + directory + end


def refused() -> dict[str, tuple[bytes, str]]:
    """Return archives that must be refused, by name, each with the code of the finding that says why."""
    return {**not_readable(), **badly_named(), **badly_described()}


def not_readable() -> dict[str, tuple[bytes, str]]:
    """Return what is no archive, or one that readers would read differently."""
    good = packed(declarative())
    return {
        "no bytes": (b"", "empty"),
        "a text": (b"not an archive at all, only a text that is long enough", "not-a-zip"),
        "a renamed tar": (renamed_tar(), "not-a-zip"),
        "a renamed gzip": (gzip.compress(good), "not-a-zip"),
        "cut in the middle": (good[: len(good) // 2], "truncated"),
        "cut by a byte": (good[:-1], "truncated"),
        "bytes before": (b"#!/bin/sh\n" + good, "broken"),
        "bytes after": (good + b"<html>", "truncated"),
        "hidden bytes": (hidden_bytes(), "hidden-data"),
        "bytes behind a stream": (after_the_stream(), "hidden-data"),
        "two names": (two_names(), "two-faces"),
        "overlapping entries": (overlapping(), "overlap"),
        "encrypted": (central_flags(good, 1), "encrypted"),
        "a strange compression": (packed(declarative(), zipfile.ZIP_LZMA), "compression"),
        "a bomb": (deflate_bomb(), "bomb"),
        "a bomb that lies": (lying_bomb(), "bomb"),
        "too many entries": (packed({f"f{n}.txt": b"" for n in range(3_000)}), "too-many-entries"),
    }


def badly_named() -> dict[str, tuple[bytes, str]]:
    """Return archives whose entries lie outside, are named twice, or are no files."""
    return {
        "a path above": (packed({**declarative(), "../../x.py": b""}), "path-escape"),
        "an absolute path": (packed({**declarative(), "/etc/cron.d/x": b""}), "path-escape"),
        "a drive": (packed({**declarative(), "C:/x.py": b""}), "path-escape"),
        "a backslash": (packed({**declarative(), "..\\x.py": b""}), "name"),
        "an empty part": (packed({**declarative(), "a//b.txt": b""}), "path-escape"),
        "a name of controls": (packed({**declarative(), "a\nb.txt": b""}), "name"),
        "a name beyond ASCII": (packed({**declarative(), "ｃonfig.json": b"{}"}), "name"),
        "a name written right to left": (packed({**declarative(), "a\u202egnp.py": b""}), "name"),
        "a trailing dot": (packed({**declarative(), "config.json.": b"{}"}), "name"),
        "a device's name": (packed({**declarative(), "aux.txt": b""}), "name"),
        "a very long name": (packed({**declarative(), "a" * 300: b""}), "name"),
        "a file that is a folder": (packed({**declarative(), "config.json/x": b""}), "duplicate-name"),
        "two manifests": (twice(MANIFEST, MANIFEST), "duplicate-name"),
        "names that differ in case": (twice("config.json", "CONFIG.json"), "duplicate-name"),
        "a link": (symbolic_link(), "link"),
        "a device": (device(), "device"),
    }


def badly_described() -> dict[str, tuple[bytes, str]]:
    """Return archives whose manifest, description or weights are not what they should be."""
    return {
        "no manifest": (packed(declarative(**{MANIFEST: None})), "no-manifest"),
        "a manifest that is no JSON": (packed(declarative(**{MANIFEST: b"{"})), "not-json"),
        "a manifest nested too deep": (packed(declarative(**{MANIFEST: b"[" * 100_000})), "not-json"),
        "a handler outside": (
            packed(declarative(**{MANIFEST: manifest("../../usr/lib/x.py")})),
            "handler-outside",
        ),
        "an absolute handler": (
            packed(declarative(**{MANIFEST: manifest("/usr/lib/x.py")})),
            "handler-outside",
        ),
        "a handler that is not there": (
            packed({**with_code("pass"), MANIFEST: manifest("other.py")}),
            "handler-missing",
        ),
        "no description": (packed(declarative(**{"dynabench.json": None})), "no-description"),
        "labels that are no list": (
            packed(declarative(**{"dynabench.json": description(labels="a")})),
            "description",
        ),
        "a label twice": (
            packed(declarative(**{"dynabench.json": description(labels=["a", "a"])})),
            "description",
        ),
        "a task type that is a path": (
            packed(declarative(**{"dynabench.json": description(task_type="../x")})),
            "description",
        ),
        "a million tokens": (
            packed(declarative(**{"dynabench.json": description(max_tokens=10**9)})),
            "description",
        ),
        "no weights": (packed(declarative(**{"model.safetensors": None})), "no-weights"),
        "weights of a pickle": (packed(declarative(**{"model.safetensors": pickled()})), "weights"),
        "weights with a huge header": (
            packed(declarative(**{"model.safetensors": struct.pack("<Q", 2**60) + b"{}"})),
            "weights",
        ),
        "weights with a gap": (packed(declarative(**{"model.safetensors": weights() + b"tail"})), "weights"),
        "weights that overlap": (
            packed(
                declarative(
                    **{
                        "model.safetensors": changed(
                            weights(a=b"1234", b=b"5678"),
                            weights(a=b"1234", b=b"5678").index(b"[4, 8]"),
                            b"[0, 4]",
                        )
                    }
                )
            ),
            "weights",
        ),
        "NaN in a configuration": (packed(declarative(**{"config.json": b'{"x": NaN}'})), "not-json"),
    }
