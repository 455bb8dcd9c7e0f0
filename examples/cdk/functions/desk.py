"""The desk: it has the report of an order made a second later, as a job."""

import os
from typing import Any

import boto3

from timegate.client import Profile, TimegateClient, parse_profile


def handle(event: dict[str, Any], _: object) -> dict[str, str]:
    """Make a job that calls the report."""
    with TimegateClient(granted_profile()) as timegate:
        job = timegate.create_job(
            {
                "name": f"report of {event['order']}",
                "schedule": {"kind": "delay", "delay_seconds": 1},
                "action": {"type": "lambda", "function_arn": os.environ["REPORT_ARN"]},
                "payload": {"order": event["order"]},
            }
        )
    return {"job_id": job["job_id"]}


def granted_profile() -> Profile:
    """Read the profile out of the secret that was granted."""
    name = os.environ["TIMEGATE_PROFILE_SECRET"]
    secret = boto3.client("secretsmanager").get_secret_value(SecretId=name)
    return parse_profile(secret["SecretString"], os.environ)
