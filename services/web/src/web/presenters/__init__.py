"""What templates are given: plain records of words and numbers that are ready to print."""
