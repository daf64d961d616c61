"""Boards of people: of a task, and of each of its rounds."""
