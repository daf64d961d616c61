"""The checks of a submission: one function per step, and a runner that calls them in order."""
