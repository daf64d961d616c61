"""Plumbing shared by the services: settings, logging, database, events, HTTP and permissions.

Nothing here knows a task, an example or a vote, and nothing here imports a service.
"""
