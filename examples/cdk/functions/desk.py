"""The desk: it has the report of an order made a second later, as a job."""

import os
from typing import Any

from timegate.client import TimegateClient, load_profile


def handle(event: dict[str, Any], _: object) -> dict[str, str]:
    """Make a job that calls the report; the profile is in the secret that was granted."""
    with TimegateClient(load_profile(os.environ)) as timegate:
        job = timegate.create_job(
            {
                "name": f"report of {event['order']}",
                "schedule": {"kind": "delay", "delay_seconds": 1},
                "action": {"type": "lambda", "function_arn": os.environ["REPORT_ARN"]},
                "payload": {"order": event["order"]},
            }
        )
    return {"job_id": job["job_id"]}
