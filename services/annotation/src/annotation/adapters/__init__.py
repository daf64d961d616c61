"""Adapters behind the service layer's ports: PostgreSQL, HTTP clients, the object store."""
