"""Alarms on waiting ring, and end when their runbooks are followed.

The stack has a clock of its own: a message is half an hour old within seconds. Minutes of alarms
last four seconds.
"""

from datetime import UTC, datetime

import pytest

from tests.e2e.alarms.alarm_watch import AlarmWatch
from tests.e2e.alarms.load_faults import LoadFaults
from tests.e2e.alarms.rung_alarms import OF_LOAD
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep

OF_HOURS = {"auditor-unaccounted", "critical-short-age", "sweeper-stuck"}
OF_API = {"api-5xx", "api-unhealthy"}
OF_OVERLOAD = set(OF_LOAD) - OF_HOURS - OF_API
#: Runs that were sent late may be sent again.
QUIET_SECONDS = 150


@pytest.fixture
def no_job_outlives_its_test() -> None:
    """Replaces the fixture of the other stack, which is not needed here."""


@pytest.fixture(scope="module")
def rung(settable: Stack, faults: LoadFaults) -> dict[str, list[str]]:
    """The states that each alarm went through: quiet, rung by its fault, mended."""
    watch, began_at = AlarmWatch(settable), datetime.now(UTC)
    watch.wait_until_quiet(OF_LOAD, lambda: None, QUIET_SECONDS)
    faults.let_hours_pass()
    watch.wait_until_rung(OF_HOURS, began_at, faults.audit)
    faults.go_on()
    faults.overload()
    watch.wait_until_rung(OF_OVERLOAD, began_at, faults.suffer)
    faults.relieve()
    faults.break_api()
    watch.wait_until_rung(OF_API, began_at, faults.call)
    faults.mend_api()
    watch.wait_until_quiet(OF_LOAD, lambda: None, QUIET_SECONDS)
    return watch.seen


@pytest.mark.parametrize("alarm", OF_LOAD)
def test_an_alarm_rings_by_its_fault_and_ends_by_its_runbook(
    rung: dict[str, list[str]], alarm: str
) -> None:
    """Quiet, on, and quiet again."""
    assert rung.get(alarm) == ["OK", "ALARM", "OK"]
