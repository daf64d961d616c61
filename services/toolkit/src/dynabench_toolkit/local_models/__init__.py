"""Models on the submitter's own machine: a project, the archive made of it, and the checks before an upload.

Nothing here imports a model's libraries: what runs a model is a TorchServe in an environment of its own.
"""
