"""The only path to a served model: limits, deadlines and batching in front of TorchServe."""
