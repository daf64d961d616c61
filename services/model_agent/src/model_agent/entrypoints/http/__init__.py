"""HTTP interface, for the registry's own processes alone."""
