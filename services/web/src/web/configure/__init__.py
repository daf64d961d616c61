"""Editing a task's configuration: the editor, its preview, earlier versions."""
