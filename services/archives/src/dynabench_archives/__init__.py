"""Archives of models: what they may hold, how they are packed, and what they must answer.

Standard library alone: the registry judges by it what was sent, and submitters judge the same before they send it.
"""
