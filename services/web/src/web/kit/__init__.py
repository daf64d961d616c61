"""What the pages of several rooms share. It knows no room."""
