"""`python -m model_archives`."""

from model_archives.cli import main

main()
