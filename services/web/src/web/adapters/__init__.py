"""What the pages reach out to."""
