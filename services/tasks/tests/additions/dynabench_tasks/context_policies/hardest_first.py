"""The context on which the targets were fooled least often, however often it was used."""

from dynabench_tasks.context_policies import CONTEXT_POLICIES, ContextColumn, ContextPolicy

CONTEXT_POLICIES.register("hardest_first")(
    ContextPolicy("hardest_first", (ContextColumn.FOOLINGS, ContextColumn.SHUFFLE))
)
