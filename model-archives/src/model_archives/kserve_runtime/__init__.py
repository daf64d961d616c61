"""Second runtime: archives of data served by KServe's model server, without TorchServe.

It runs in an environment of its own and takes torch and the handlers' dependencies from the serving environment.
`0001-a-second-runtime.md` gives the reasons for this one, and its gaps.
"""
