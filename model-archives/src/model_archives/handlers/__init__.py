"""Code that runs inside a TorchServe worker.

The whole folder is copied into every archive under the name `dynabench_handlers`, so modules here import each
other relatively and nothing else of this project.
"""
