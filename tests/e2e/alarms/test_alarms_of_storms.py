"""Alarms on storms of records ring, and end when their runbooks are followed.

Minutes of alarms last four seconds. A sweeper that has a thousand runs to look at takes longer: the
clock of the stack stands meanwhile.
"""

from datetime import UTC, datetime

import pytest

from tests.e2e.alarms.alarm_watch import AlarmWatch
from tests.e2e.alarms.load_faults import LoadFaults
from tests.e2e.alarms.rung_alarms import OF_STORMS
from tests.e2e.alarms.storm_faults import StormFaults
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep

QUIET_SECONDS = 150


@pytest.fixture
def no_job_outlives_its_test() -> None:
    """Replaces the fixture of the other stack, which is not needed here."""


@pytest.fixture(scope="module")
def rung(settable: Stack, faults: LoadFaults) -> dict[str, list[str]]:
    """The states that each alarm went through: quiet, rung by its fault, mended."""
    storms = StormFaults(settable, faults.clock, faults.create)
    watch, began_at = AlarmWatch(settable), datetime.now(UTC)
    watch.wait_until_quiet(OF_STORMS, lambda: None, QUIET_SECONDS)
    storms.let_audits_wait()
    watch.wait_until_rung({"auditor-behind"}, began_at, faults.audit)
    storms.start_auditor()
    faults.stop_lane()
    storms.let_runs_pile_up()
    watch.wait_until_rung({"sweeper-watch-overdue"}, began_at, lambda: None)
    storms.take_runs_away()
    faults.go_on()
    watch.wait_until_quiet(OF_STORMS, lambda: None, QUIET_SECONDS)
    return watch.seen


@pytest.mark.parametrize("alarm", OF_STORMS)
def test_an_alarm_rings_by_its_fault_and_ends_by_its_runbook(
    rung: dict[str, list[str]], alarm: str
) -> None:
    """Quiet, on, and quiet again."""
    assert rung.get(alarm) == ["OK", "ALARM", "OK"]
