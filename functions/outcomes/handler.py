"""Outcomes: reacts to runs that ended; the only function that does."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.stream_records import Failures, read_attempts, report
from timegate.runtime.wiring import outcomes_services
from timegate.usecases.complete_jobs import complete_jobs
from timegate.usecases.follow_ends import Followers, follow_ends
from timegate.usecases.wake_operations import wake_followers

services = outcomes_services()


def _follow(event: dict[str, Any], _: LambdaContext) -> Failures:
    records = read_attempts(event, "outcomes", services.rejects, services.telemetry)
    ended = [record.shown for record in records]
    now = services.clock.now()
    complete_jobs(ended, services.jobs, services.telemetry, now=now)
    wake_followers(ended, services.operations, services.telemetry)
    followers = Followers(
        jobs=services.jobs,
        runs=services.runs,
        rejects=services.rejects,
        telemetry=services.telemetry,
    )
    follow_ends(ended, followers, now=now)
    return report([])


handle = services.telemetry.instrument(_follow)
