"""The checks of a submission: one function per step, and what runs them in their order."""
