"""Saved boards of models."""

from dynabench_api import model_boards

BoardView = model_boards.ViewAnswer
BoardSnapshot = model_boards.SnapshotSummary
WholeSnapshot = model_boards.SnapshotAnswer
