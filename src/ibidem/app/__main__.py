"""`python -m ibidem.app` is the command line."""

import sys

from ibidem.app.cli import main

sys.exit(main())
