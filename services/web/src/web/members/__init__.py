"""Who sees a private task: members, groups and invitations, for owners, and the page of an invitation."""
