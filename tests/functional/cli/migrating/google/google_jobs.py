"""Jobs of Cloud Scheduler, as ``gcloud`` prints them."""

import base64
import json
from typing import Any

PLACE = "projects/acme-prod/locations/europe-west3/jobs"


def body(text: str) -> str:
    """A body as the API shows it."""
    return base64.b64encode(text.encode()).decode()


def job(name: str = "report", **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A job that calls an address; ``None`` leaves a field out."""
    fields: dict[str, Any] = {
        "attemptDeadline": "180s",
        "description": "Sends the report",
        "httpTarget": {
            "body": body('{"kind": "daily"}'),
            "headers": {"Content-Type": "application/json", "User-Agent": "Google-Cloud-Scheduler"},
            "httpMethod": "POST",
            "uri": "https://example.com/report",
        },
        "lastAttemptTime": "2026-11-20T06:00:00.301Z",
        "name": f"{PLACE}/{name}",
        "retryConfig": {
            "maxBackoffDuration": "3600s",
            "maxDoublings": 5,
            "maxRetryDuration": "0s",
            "minBackoffDuration": "5s",
        },
        "schedule": "0 6 * * 1-5",
        "scheduleTime": "2026-11-23T06:00:00.999Z",
        "state": "ENABLED",
        "status": {},
        "timeZone": "Etc/UTC",
        "userUpdateTime": "2026-03-01T09:12:44Z",
    }
    return {name: each for name, each in (fields | changes).items() if each is not None}


def listed(*jobs: dict[str, Any]) -> str:
    """The answer of ``gcloud scheduler jobs list --format=json``."""
    return json.dumps(list(jobs), indent=2)
