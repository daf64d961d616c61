"""HTTP clients of TorchServe and the registry."""
