"""The second runtime: archives of data served by KServe's model server, without TorchServe.

It runs in an environment of its own and takes torch and what the handlers import from the serving environment.
`0001-a-second-runtime.md` says why this one, and what it lacks.
"""
