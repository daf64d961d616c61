"""Preparation of models, collections and tasks on the submitter's machine, without a platform."""
