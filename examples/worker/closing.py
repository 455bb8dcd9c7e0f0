"""Closes the books, region by region; the next worker begins with the first that is not closed.

    timegate worker run examples.worker.closing:worker

offers to do runs of ``--pool ledgers --handler close-month`` with a payload such as
``{"regions": ["eu", "us"], "journal": "/tmp/journal.txt"}``. The journal stands for the system
whose books are closed: it shows who closed what, and under which fence.
"""

import time
from pathlib import Path
from typing import Any

from timegate.worker import Context, PermanentError, Worker, job

#: Time to close one region.
SECONDS_PER_REGION = 0.3


@job("close-month")
def close_month(context: Context) -> dict[str, Any]:
    """Close every region that is not closed yet."""
    regions = context.payload["regions"]
    done = (context.last_checkpoint or {"closed": 0})["closed"]
    for number in range(done, len(regions)):
        _close(regions[number], context)
        context.checkpoint({"closed": number + 1})
        context.progress(100 * (number + 1) / len(regions), f"{regions[number]} is closed")
    return {"regions": len(regions), "of them here": len(regions) - done}


@job("reopen-month")
async def reopen_month(context: Context) -> None:
    """Books that are closed stay closed."""
    raise PermanentError(f"{context.job_name}: closed books stay closed.", code="books_closed")


def _close(region: str, context: Context) -> None:
    time.sleep(SECONDS_PER_REGION)
    with Path(context.payload["journal"]).open("a") as journal:
        journal.write(f"{region} {context.fence}\n")


worker = Worker(pool="ledgers", concurrency=2, grace_seconds=10)
