"""Write an image with one static program, as `docker save` would: `python pause_image.py PROGRAM NAME`, to standard output."""

import hashlib
import io
import json
import sys
import tarfile
from pathlib import Path


def packed(files: dict[str, tuple[bytes, int]]) -> bytes:
    """Return an archive of files, each with its content and mode."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, (content, mode) in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))
    return target.getvalue()


def image(program: bytes, name: str) -> bytes:
    """Return the image, with the program as /program."""
    layer = packed({"program": (program, 0o755)})
    described = json.dumps(
        {
            "architecture": "amd64",
            "os": "linux",
            "config": {"Entrypoint": ["/program"], "User": "65535:65535"},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        }
    ).encode()
    told = json.dumps([{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]).encode()
    return packed(
        {"config.json": (described, 0o644), "layer.tar": (layer, 0o644), "manifest.json": (told, 0o644)}
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(image(Path(sys.argv[1]).read_bytes(), sys.argv[2]))
