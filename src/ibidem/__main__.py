"""Run the command line: `python -m ibidem`."""

import sys

from ibidem.cli.main import main

sys.exit(main())
