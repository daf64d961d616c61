"""Making a dataset of a round, and exporting a round as it stands."""
