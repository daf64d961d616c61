"""Access to private tasks: members, groups and invitations, for owners, and the page of an invitation."""
