"""``timegate forecast`` in front of the real API."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.api import api_services
from tests.support.factories import TENANT
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.usecases.jobs.create_job import CreateJobRequest, create_job

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
PAGE = (Path(__file__).resolve().parents[4] / "docs" / "operations" / "forecast.md").read_text()


def created(world: World, count: int, cron: str) -> None:
    """Jobs of one schedule, by name."""
    services = api_services(world)
    for number in range(1, count + 1):
        create_job(
            CreateJobRequest(tenant=TENANT, hash="a", idempotency_key=f"{cron}-{number}"),
            JobDefinition(
                name=f"report-{number}",
                schedule=Schedule(kind=ScheduleKind.CRON, cron=cron),
                action=WebhookAction(url="https://example.com/report"),
            ),
            services,
            now=world.clock.now(),
        )


def furnish(world: World) -> None:
    """The jobs of the page."""
    created(world, 40, "0 0 * * *")
    created(world, 3, "30 6-9 * * *")


def test_the_page_shows_what_it_prints(timegate: Timegate, served: World) -> None:
    """Line by line."""
    furnish(served)
    (shown,) = re.findall(r"\$ timegate forecast --days 2\n(.*?)```", PAGE, re.DOTALL)
    printed = timegate("forecast", "--days", "2")
    lines = [line.rstrip() for line in printed.out.splitlines()]

    assert lines == [line.rstrip() for line in shown.splitlines()], printed.out


def test_it_is_data_for_programs_and_one_queue_if_named(timegate: Timegate, served: World) -> None:
    """In the shape of the API."""
    furnish(served)
    data = timegate("forecast", "--days", "1", "--json").json
    none = timegate("forecast", "--queue", "low-long")

    assert sum(data["queues"][0]["minutes"]) == data["queues"][0]["runs"] == 40 + 12
    assert "No runs fall due." in none.out


def test_pages_are_added_up(timegate: Timegate, served: World) -> None:
    """More jobs than one answer counts; a limit of jobs is said."""
    created(served, 510, "0 0 * * *")
    whole = timegate("forecast", "--days", "1", "--json").json
    cut = timegate("forecast", "--days", "1", "--max-jobs", "500")

    assert whole["jobs"] == {"read": 510, "due": 510, "damaged": 0}
    assert whole["queues"][0]["busiest"] == [{"at": "2026-11-22T00:00:00.000Z", "runs": 510}]
    assert whole["next_cursor"] is None
    assert "--max-jobs" in cut.out


def test_hours_are_those_of_a_zone(timegate: Timegate, served: World) -> None:
    """A zone that is none is refused."""
    furnish(served)
    shown = timegate("forecast", "--days", "1", "--timezone", "Europe/Berlin")
    refused = timegate("forecast", "--timezone", "Mars")

    assert "Sun 2026-11-22 01:00" in shown.out
    assert (refused.code, "Mars" in refused.err) == (2, True)
