"""Edges of the clock on which a test would be about two hours or days, and how it avoids them."""

from datetime import UTC, datetime, timedelta

from tests.support.deployed.stack import wait_until


def hours_until(now: datetime, *, count: int) -> dict[str, str]:
    """Return a schedule of the last full hours alone, which comes back tomorrow.

    An hourly one would gain a run while a test compares what there is.
    """
    hours = ",".join(str((now - timedelta(hours=past)).hour) for past in range(count))
    return {"kind": "cron", "cron": f"0 {hours} * * *", "timezone": "UTC"}


def stay_clear_of_midnight() -> None:
    """Wait for the next day (UTC) where this one is about to end: a test counts within one."""
    now = datetime.now(UTC)
    if (now.hour, now.minute) >= (23, 57):
        wait_until(lambda: datetime.now(UTC).date() > now.date() or None, seconds=240, pause=1)
