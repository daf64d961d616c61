"""A test server of two crowd platforms: Prolific's API v1 and the requester API of Mechanical Turk.

Written from the platforms' public descriptions, and not from the adapters in services/crowd.
"""
