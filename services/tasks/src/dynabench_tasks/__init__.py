"""The language of tasks: what a task's configuration means, alike for everyone who reads one."""
