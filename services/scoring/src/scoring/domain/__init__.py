"""Facts about rounds and examples, what may enter a dataset, and the life of a release."""
