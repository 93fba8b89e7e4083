"""`python -m ibidem.cli` is the command line."""

import sys

from ibidem.cli.main import main

sys.exit(main())
