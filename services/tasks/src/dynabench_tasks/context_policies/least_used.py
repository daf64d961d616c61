"""The least used context first, ties at random."""

from dynabench_tasks.context_policies import CONTEXT_POLICIES, ContextColumn, ContextPolicy

CONTEXT_POLICIES.register("least_used")(
    ContextPolicy("least_used", (ContextColumn.USE_COUNT, ContextColumn.SHUFFLE))
)
