#!/usr/bin/env bash
# Compile the locks: hashes, no index addresses. torch and what comes with it stay out, since CPU and CUDA builds differ.
set -eu
uv=${1:-uv}
options=(--quiet --generate-hashes --python-version 3.11 --no-emit-index-url --no-header)
for name in uv services local dev kserve chart sbom loaders; do
  "$uv" pip compile "${options[@]}" "$name.in" -o "$name.txt"
done
accelerator=()
for package in triton $("$uv" pip compile --quiet --python-version 3.11 --no-header --no-annotate -c torch.txt serving.in | grep -oE '^(nvidia|cuda)[a-z0-9-]*'); do
  accelerator+=(--no-emit-package "$package")
done
"$uv" pip compile "${options[@]}" -c torch.txt --no-emit-package torch "${accelerator[@]}" serving.in -o serving.txt
