"""Public profiles of people with a nickname, and the ranks of people in all tasks."""
