"""The context on which the targets were fooled least often first, then the least used, ties at random."""

from dynabench_tasks.context_policies import CONTEXT_POLICIES, ContextColumn, ContextPolicy

CONTEXT_POLICIES.register("least_fooled")(
    ContextPolicy("least_fooled", (ContextColumn.FOOLINGS, ContextColumn.USE_COUNT, ContextColumn.SHUFFLE))
)
