"""Registry: keeps the models that TorchServe serves equal to `models.yaml`."""
