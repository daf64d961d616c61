"""Released datasets, and what their texts and labels are like."""
