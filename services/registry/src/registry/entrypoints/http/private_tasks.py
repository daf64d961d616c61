"""Parts of private tasks in addresses."""

from dynabench_common.auth.private_tasks import PrivateTasks, is_private
from sqlalchemy import Engine, or_, select

from registry.adapters.tables import submission, task

SLUG = select(submission.c.task_slug)


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service."""
    return PrivateTasks(
        engine.connect,
        select(task.c.slug).where(is_private(task.c.configuration)),
        {
            "submission_id": lambda key: SLUG.where(submission.c.submission_id == key),
            "name": lambda key: SLUG.where(
                or_(submission.c.serving_name == key, submission.c.model_name == key)
            ),
        },
        {"evaluation_id", "step"},
    )
