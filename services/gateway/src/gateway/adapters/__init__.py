"""TorchServe and the registry, spoken to over HTTP."""
