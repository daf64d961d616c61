"""Boards of a task's models: ranked under the reader's own weights, and two of them compared."""
