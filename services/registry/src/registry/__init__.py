"""Keeps TorchServe holding what models.yaml says."""
