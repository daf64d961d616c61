"""Rules of counting; no database, no events, no HTTP."""
