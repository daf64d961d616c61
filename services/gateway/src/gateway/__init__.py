"""The one way to a served model: limits, deadlines and coalescing in front of TorchServe."""
