"""Rules of notices: what makes one, how they are grouped, and how a person wants them; no framework."""
