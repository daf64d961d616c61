"""Results about datasets and the releases that make them."""

from dynabench_api import datasets

Split = datasets.SplitAnswer
ReleasePreview = datasets.PreviewAnswer
Failure = datasets.Failure
Release = datasets.ReleaseAnswer
DatasetFile = datasets.FileAnswer
DatasetSummary = datasets.DatasetSummary
Dataset = datasets.DatasetAnswer
