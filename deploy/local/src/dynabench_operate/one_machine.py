"""Stores of the one-machine stack: used if they run, else started for the operation and stopped again.

Only `--local` imports this module: the stack's dependencies are not installed where the platform runs in containers.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from dynabench_local import kafka, postgres, seaweedfs
from dynabench_local.layout import Layout, from_environment
from dynabench_local.stack import INFRASTRUCTURE, Say, Stack, StackError

from dynabench_operate.stores import SERVICES, ObjectStore, Refused, Stores


@contextmanager
def stores(say: Say, *, begin: bool = True, stopped: bool = False) -> Iterator[Stores]:
    """Give the stores of the stack that DYNABENCH_HOME and PORT_BASE name.

    With `stopped` no service may run; without `begin` no part is started. Raises Refused.
    """
    try:
        stack = Stack(from_environment(), say)
        was_running = stack.supervisor.is_running()
        running = [
            part["part"]
            for part in stack.status()
            if part["state"] == "running" and part["part"] not in INFRASTRUCTURE
        ]
        if stopped and running:
            raise Refused(f"{len(running)} parts run ({running[0]}, …): make down first.")
        if begin and not was_running:
            stack.up([name for name in INFRASTRUCTURE if name in stack.parts])
    except (StackError, ValueError) as err:
        raise Refused(str(err)) from err
    try:
        yield of_layout(stack.layout, stack.secrets)
    finally:
        if begin and not was_running:
            stack.down()


def of_layout(layout: Layout, secrets: dict[str, str]) -> Stores:
    """Return the stores of a one-machine stack."""
    keys = seaweedfs.credentials(secrets)
    return Stores(
        databases={service: postgres.owner_url(layout, secrets, service) for service in SERVICES},
        running={service: postgres.service_url(layout, secrets, service) for service in SERVICES},
        objects=ObjectStore(
            seaweedfs.BUCKET,
            seaweedfs.endpoint_url(layout),
            access_key_id=keys["AWS_ACCESS_KEY_ID"],
            secret_access_key=keys["AWS_SECRET_ACCESS_KEY"],
        ),
        kafka_address=kafka.admin_address(layout, secrets),
        public_url=layout.public_url,
        home=layout.home,
    )
