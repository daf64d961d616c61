"""Parts of private tasks in addresses."""

from dynabench_common.auth.private_tasks import PrivateTasks, is_private
from sqlalchemy import Engine, select

from annotation.adapters.tables import context, example, image, round_, task, task_configuration, work_order
from annotation.adapters.task_repository import CONFIGURED

SLUG = select(task.c.slug)


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service."""
    return PrivateTasks(
        engine.connect,
        select(task.c.slug).select_from(CONFIGURED).where(is_private(task_configuration.c.document)),
        {
            "round_id": lambda key: SLUG.join(round_).where(round_.c.round_id == key),
            "example_id": lambda key: SLUG.join(example).where(example.c.example_id == key),
            "context_id": lambda key: SLUG.join(round_).join(context).where(context.c.context_id == key),
            "order_id": lambda key: SLUG.join(round_).join(work_order).where(work_order.c.order_id == key),
            "image_id": lambda key: SLUG.join(image).where(image.c.image_id == key),
        },
        {"target"},
    )
