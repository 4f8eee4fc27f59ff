"""`python -m minigrad` is the command `minigrad`."""

import sys

from .cli import main

sys.exit(main())
