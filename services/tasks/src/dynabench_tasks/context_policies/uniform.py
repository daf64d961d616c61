"""Any context, at random."""

from dynabench_tasks.context_policies import CONTEXT_POLICIES, ContextColumn, ContextPolicy

CONTEXT_POLICIES.register("uniform")(ContextPolicy("uniform", (ContextColumn.SHUFFLE,)))
