"""The first page: what this is for who comes by, one's own work for who is signed in, and the tasks for both."""
