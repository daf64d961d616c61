"""Submitting models: sending an archive, following its checks, its card, and the models that everybody may see."""
