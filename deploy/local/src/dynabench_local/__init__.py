"""The whole platform on one machine: starts and supervises everything, installs nothing."""
