"""TorchServe, its key file, and the declarations on disk."""
