"""The `dynabench` command."""
