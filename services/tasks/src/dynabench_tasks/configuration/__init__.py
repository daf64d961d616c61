"""A task's configuration: what it holds, and how an untrusted document becomes one."""
