"""Figures on votes and voters; pure, with numpy and scipy at most."""
