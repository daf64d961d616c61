"""The list of tasks, and the page of one."""
