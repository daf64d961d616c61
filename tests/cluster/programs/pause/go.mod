module dynabench.org/tests/cluster/pause

go 1.23.0
