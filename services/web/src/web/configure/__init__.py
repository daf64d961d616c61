"""Writing the configuration of a task: the editor, its preview, earlier versions."""
