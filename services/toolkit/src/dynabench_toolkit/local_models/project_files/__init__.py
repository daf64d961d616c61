"""Files that a new project is made of, copied as they are. They run in a TorchServe worker: standard library alone."""
