"""Processor time of all services for one operation: a next example, a vote, a try without its model, a page.

Another program on the machine moves these figures least. The callers' own time is not counted, nor is the models'.

`python -m tests.bench.operations` measures them on the running stack that DYNABENCH_TEST_HOME and PORT_BASE name.
"""
