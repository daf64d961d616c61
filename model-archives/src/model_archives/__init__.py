"""TorchServe archives of Dynabench's targets: handlers, packaging and the training of the baselines."""
