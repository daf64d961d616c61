"""Datasets: released rounds, exports of rounds in progress, and measurements of both."""
