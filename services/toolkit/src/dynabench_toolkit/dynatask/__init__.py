"""Reading tasks of the original platform (Dynatask) as tasks of this one."""
