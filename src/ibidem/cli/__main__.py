"""Run the command line: `python -m ibidem.cli`, the same as `python -m ibidem`."""

import sys

from ibidem.cli.main import main

sys.exit(main())
