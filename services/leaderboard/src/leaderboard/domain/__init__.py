"""What is counted, and how; no database, no events, no HTTP."""
