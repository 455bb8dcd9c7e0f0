"""From dead letters to JSON."""

import json
from datetime import datetime

from api.jobs.job_views import job_view
from api.runs.run_views import run_row, run_view
from api.values.views import View
from timegate.domain.runs.run import Attempt
from timegate.usecases.operations.read_dead_letters import DeadLetter


def dead_letter_row(last: Attempt) -> View:
    """A dead letter in a listing: its run, as the attempt that was given up shows it."""
    return {
        **run_row(last),
        "job_version": last.job_version,
        "worker": last.lease.owner if last.lease else None,
        "payload_corrected": last.payload is not None,
    }


def dead_letter_view(letter: DeadLetter, *, now: datetime) -> View:
    """Everything that is known of one."""
    last, timing = letter.attempts[-1], letter.job.timing
    return {
        **dead_letter_row(last),
        "attempts": run_view(letter.attempts)["attempts"],
        "payload": None if letter.payload is None else json.loads(letter.payload),
        "job": job_view(letter.defined, now=now),
        "job_now": {
            "version": timing.version,
            "status": timing.status,
            "same_definition": letter.job.defines_as(letter.defined),
        },
    }
