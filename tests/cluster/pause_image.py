"""Write an image with one static program to standard output, as `docker save` would.

`python pause_image.py PROGRAM NAME`, for the machine's own processor.
"""

import hashlib
import io
import json
import platform
import sys
import tarfile
from pathlib import Path

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


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
            "architecture": ARCHITECTURES.get(platform.machine(), platform.machine()),
            "os": "linux",
            "config": {"Entrypoint": ["/program"], "User": "65535:65535"},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        }
    ).encode()
    manifest = json.dumps([{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]).encode()
    return packed(
        {"config.json": (described, 0o644), "layer.tar": (layer, 0o644), "manifest.json": (manifest, 0o644)}
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(image(Path(sys.argv[1]).read_bytes(), sys.argv[2]))
