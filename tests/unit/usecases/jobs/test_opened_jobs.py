"""Jobs with instants that are left out: their creator plans them as a tick does."""

from collections.abc import Sequence
from dataclasses import replace

from tests.support.api import api_services
from tests.support.execution.restricting import MINUTELY, RULES, SKIP, closed, freeze, put
from tests.support.factories import NOW, TENANT, after
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.ledger.ledger import Gap
from timegate.usecases.jobs.create_job import CreateJobRequest, create_job

JOB = JobDefinition(
    name="report",
    schedule=MINUTELY,
    action=WebhookAction(url="https://hooks.example.com/report"),
)


def create(world: World, definition: JobDefinition) -> tuple[list[float], Sequence[Gap]]:
    """Create a job: seconds from now to its runs, and the gaps of its ledger."""
    services = api_services(world)
    made = create_job(CreateJobRequest(tenant=TENANT, hash="h"), definition, services, now=NOW)
    gaps = world.jobs.gaps(TENANT, made.job.job_id, since=NOW, limit=10)
    due = [(attempt.due_at - NOW).total_seconds() for attempt in world.attempts()]
    return due, [each for each in gaps if isinstance(each, Gap)]


def test_instants_that_a_calendar_leaves_out_are_on_record() -> None:
    """Instants of the next three minutes are one gap; the runs after it are stored at once."""
    world = World()
    put(world, closed(0, 200))
    runs, (gap,) = create(world, replace(JOB, calendars=RULES))

    assert (gap.first, gap.last, gap.count) == (after(60), after(180), 3)
    assert runs == [240, 300, 360, 420, 480, 540, 600]


def test_instants_that_a_freeze_holds_back_are_settled() -> None:
    """It ends within the look-ahead, and skips what it held back."""
    world = World()
    freeze(world, 0, 200, SKIP)
    runs, (gap,) = create(world, JOB)

    assert (gap.first, gap.last, gap.count) == (after(60), after(180), 3)
    assert runs == [240, 300, 360, 420, 480, 540, 600]


def test_a_job_that_a_freeze_holds_back_has_no_runs_yet() -> None:
    """A tick decides near the freeze's end."""
    world = World()
    freeze(world, 0, 700, SKIP)

    assert create(world, JOB) == ([], [])
