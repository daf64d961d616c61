"""The whole platform on one machine: installs nothing, starts and supervises everything."""
