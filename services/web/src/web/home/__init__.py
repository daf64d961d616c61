"""Front page: an introduction for visitors, own work for signed-in people, and the tasks for both."""
