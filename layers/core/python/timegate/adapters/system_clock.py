"""The only place where Timegate asks what time it is."""

import time
from datetime import UTC, datetime

from timegate.domain.values.instants import to_milliseconds


class SystemClock:
    """This machine's clock, read in the milliseconds that instants are stored in."""

    def now(self) -> datetime:
        """Aware UTC; cut to the millisecond, so never later than it is."""
        return to_milliseconds(datetime.now(UTC))

    def wait_until(self, instant: datetime) -> None:
        """Return at ``instant``, never before; at once if it has passed."""
        # A sleep may end early by the clock's resolution: what counts is what the clock says.
        while (remaining := (instant - datetime.now(UTC)).total_seconds()) > 0:
            time.sleep(remaining)
