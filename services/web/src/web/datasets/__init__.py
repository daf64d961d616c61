"""Released datasets, and measurements of their texts and labels."""
