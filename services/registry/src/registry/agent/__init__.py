"""The agent beside the model servers: keeps the store of archives, speaks to management, builds archives.

It alone holds TorchServe's management key, and it alone writes into the store.
"""
