"""The ``timegate`` command: everything the API does, from a terminal. It talks HTTP only."""

import time

#: The monotonic clock when the program began to load: its caller has waited since.
BEGUN = time.monotonic()
