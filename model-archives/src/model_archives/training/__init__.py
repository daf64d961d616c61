"""Training and evaluation of the baseline targets. Needs the folder of data sets that DYNABENCH_DATA names."""
