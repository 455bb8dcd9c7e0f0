"""Outcomes: reacts to runs that ended; the only function that does."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.domain.runs.run import Attempt
from timegate.runtime.events.attempt_records import read_followed
from timegate.runtime.events.stream_records import Failures, report
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.outcomes import outcomes_services
from timegate.usecases.dag_runs.follow_records import follow_records
from timegate.usecases.operations.wake_operations import wake_followers
from timegate.usecases.outcomes.close_ends import close_ends
from timegate.usecases.outcomes.complete_jobs import complete_jobs
from timegate.usecases.outcomes.fill_places import fill_places
from timegate.usecases.outcomes.follow_ends import follow_ends
from timegate.usecases.outcomes.pause_failing_jobs import pause_failing_jobs

services = outcomes_services()


def _follow(event: dict[str, Any], _: LambdaContext) -> Failures:
    with services.told(event) as shown_event:
        records = read_followed(shown_event, "outcomes", services.rejects, services.telemetry)
        shown = [record.shown for record in records]
        ended = [each for each in shown if isinstance(each, Attempt)]
        now = services.clock.now()
        complete_jobs(ended, services.jobs, services.runs, services.telemetry, now=now)
        fill_places(ended, services.scheduling, now=now)
        wake_followers(ended, services.operations, services.telemetry)
        follow_ends(ended, services.followers, now=now)
        follow_records(shown, services.dag_works)
        pause_failing_jobs(ended, services.pausing, now=now)
        close_ends(ended, services.runs)
    return report([])


handle = services.telemetry.instrument(while_active(_follow, idle=report([])))
