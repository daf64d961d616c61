"""Pages for owners: campaigns that recruit and pay people."""
