"""Shares and other measured numbers, with what they rest on."""

from dynabench_api import rates

Measure = rates.Measure
Range = rates.RangeAnswer
Rate = rates.RateAnswer
ProjectedRate = rates.ProjectedRateAnswer
