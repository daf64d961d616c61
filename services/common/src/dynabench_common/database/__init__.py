"""Connections to a service's database, its roles, its migrations, and statements over many rows."""
