"""Agent of the model servers: keeps the store of archives, calls the management interface, builds archives.

Only the agent has TorchServe's management key, and only the agent writes into the store.
"""
