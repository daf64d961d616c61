"""What became of one's work: the list of notices, and the end of mails that tell of them."""
