"""The reconciler alone, as a process that tests can kill; the worker's other parts need Kafka."""

from dynabench_common.database.connections import create_database_engine
from dynabench_common.http.client import JsonClient
from dynabench_common.settings import DatabaseSettings, load
from dynabench_common.testing import service_token
from dynabench_common.work.worker import run_worker
from registry.bootstrap import build_reconciling
from registry.settings import ReconcilerSettings


def main() -> None:
    """Reconcile until a signal stops the process."""
    settings = load(ReconcilerSettings)
    engine = create_database_engine(load(DatabaseSettings).database_url, "reconciling")
    agent = JsonClient(settings.agent_url, 10, service_token("registry"))
    run_worker("registry", [build_reconciling(settings, engine, agent)])


if __name__ == "__main__":
    main()
