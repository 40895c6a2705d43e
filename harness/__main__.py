"""``python -m harness`` is the command ``boss``."""

from harness.cli import main

main()
