"""The report: jobs call it."""

from typing import Any


def handle(event: dict[str, Any], _: object) -> dict[str, str]:
    """Report on one order; ``event`` has the job's payload, and which run it is."""
    return {"reported": event["payload"]["order"]}
