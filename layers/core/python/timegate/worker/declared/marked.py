"""Payloads with marks, as a handler gets them: with values in their place."""

import json
from datetime import UTC, datetime
from typing import Any

from timegate.domain.jobs.rules.filled_payload import filled_for
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId
from timegate.domain.values.payload import Filling, json_text
from timegate.domain.values.tenant import TenantId

_RUN = RunId(
    job_id=JobId("a" * 26),
    origin=Origin.SCHEDULE,
    scheduled_at=datetime(2026, 1, 1, tzinfo=UTC),
)


def as_sent(payload: object, job_name: str) -> Any:  # noqa: ANN401 - any JSON
    """Return JSON with its marks filled by some run: values differ from run to run, and no form.

    A mark that is unknown stays as it is: the API refuses it.
    """
    filling = Filling(attempt=AttemptId(run=_RUN, number=1), job_name=job_name, timezone="UTC")
    return json.loads(filled_for(filling, TenantId("tenant"), json_text(payload)))
