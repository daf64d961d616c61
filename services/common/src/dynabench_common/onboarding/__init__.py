"""Onboarding before work in a task. The service that hands out the work keeps who has completed it, and asks here."""
