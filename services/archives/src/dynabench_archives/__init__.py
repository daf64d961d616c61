"""Archives of models: allowed contents, packing, and the contract of answers.

Standard library only: the registry checks archives with it, and submitters do before they upload.
"""
