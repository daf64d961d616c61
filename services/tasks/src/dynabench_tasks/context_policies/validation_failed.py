"""The context on which most examples failed validation first, then the least used, ties at random."""

from dynabench_tasks.context_policies import CONTEXT_POLICIES, ContextColumn, ContextPolicy

CONTEXT_POLICIES.register("validation_failed")(
    ContextPolicy(
        "validation_failed", (ContextColumn.UNVALIDATED, ContextColumn.USE_COUNT, ContextColumn.SHUFFLE)
    )
)
