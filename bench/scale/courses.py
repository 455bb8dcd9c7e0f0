"""The courses that the page reports: each load, on the stage as deployed and as it should be."""

from collections.abc import Sequence
from dataclasses import replace

from bench.scale import facts
from bench.scale.model.stage import Choices
from bench.scale.scenarios import FIRST, Scenario, jobs_due, minutely, spread
from infra.stage.capacity import CLASSES, NONE
from infra.stage.settings import STAGES

_PROD = STAGES["prod"]
#: The template's choices today, into tables that nothing has warmed.
_COLD = Choices(settings=_PROD)
#: The same once its tables have grown to the default quota.
_GROWN = replace(_COLD, table_units=facts.TABLE_QUOTA_UNITS)
#: A lane whose event source has provisioned pollers, with environments that are warm.
_POLLERS = replace(_GROWN, pollers=100, concurrency=1_000, warm=1_000)
_PEAK = replace(_GROWN, table_units=160_000, pollers=200, concurrency=3_000, warm=3_000)
_SLOTS = replace(_GROWN, pollers=100, concurrency=1_000, warm=1_000)
#: The same load of jobs of class ``long``, whose executors take more messages for longer.
_LONG = replace(_GROWN, lane="normal-long", pollers=70, concurrency=700, warm=700)
#: Executors that execute what they are invoked with, and no more.
_TENS = replace(
    _GROWN,
    settings=replace(
        _PROD, classes={name: replace(each, runs_at_once=0) for name, each in CLASSES.items()}
    ),
    pollers=200,
    concurrency=6_000,
    warm=6_000,
)
_MOST = replace(_GROWN, table_units=1_700_000, pollers=200, concurrency=20_000, warm=20_000)
_NEW_ACCOUNT = Choices(settings=replace(STAGES["dev"], capacity=NONE), concurrency=10)


def _idle() -> Scenario:
    return Scenario(
        name="idle",
        title="10 million registered jobs, none due",
        promise="N1: idle jobs cost nothing per tick",
        jobs=[jobs_due(10_000_000, 80_000)],
        runs=None,
        until=FIRST,
        choices={"prod, cold tables": _COLD},
    )


def _sustained() -> Scenario:
    return Scenario(
        name="sustained",
        title="10,000 minutely runs a second for three minutes",
        promise="N2",
        bound_seconds=1.0,
        jobs=minutely(600_000),
        counted_from=FIRST,
        runs=None,
        until=FIRST + 180,
        choices={
            "prod, cold tables": _COLD,
            "prod, tables at the quota": _GROWN,
            "and tables of 80,000 units, 100 pollers": replace(_POLLERS, table_units=80_000),
        },
    )


def _peak() -> Scenario:
    return Scenario(
        name="peak",
        title="50,000 daily runs a second for a minute",
        promise="N2",
        bound_seconds=1.0,
        jobs=spread(3_000_000, seconds=60),
        runs=3_000_000,
        choices={
            "prod, tables at the quota": _GROWN,
            "tables of 160,000 units, 200 pollers, 3,000 environments": _PEAK,
            "the same, all environments cold": replace(_PEAK, warm=0),
        },
    )


def _slots() -> Scenario:
    return Scenario(
        name="slots",
        title="100,000 runs of 30 s a minute, for three minutes",
        promise="N2",
        bound_seconds=1.0,
        jobs=spread(300_000, seconds=180),
        runs=299_880,
        work_seconds=30,
        choices={
            "prod, tables at the quota": _GROWN,
            "100 pollers, 1,000 environments": _SLOTS,
            "the same, all environments cold": replace(_SLOTS, warm=0),
            "jobs of class long, 70 pollers, 700 environments": _LONG,
            "ten runs in an environment, 200 pollers, 6,000 environments": _TENS,
        },
    )


def _slots_in_steady_state() -> Scenario:
    return Scenario(
        name="slots in steady state",
        title="100,000 runs of 30 s a minute, after ten minutes of them",
        promise="N2",
        bound_seconds=1.0,
        jobs=spread(1_200_000, seconds=720),
        runs=None,
        until=FIRST + 720,
        counted_from=FIRST + 600,
        work_seconds=30,
        choices={
            "prod, tables at the quota": _GROWN,
            "100 pollers, 1,000 environments": replace(_SLOTS, warm=0),
            "jobs of class long, 70 pollers, 700 environments": replace(_LONG, warm=0),
            "ten runs in an environment, 200 pollers, 6,000 environments": replace(_TENS, warm=0),
        },
    )


def _midnight() -> Scenario:
    return Scenario(
        name="midnight",
        title="4.2 million daily jobs due in one second",
        promise="N3, N4: under 5 s",
        bound_seconds=5.0,
        jobs=spread(4_200_000, seconds=1),
        runs=4_200_000,
        choices={
            "prod, cold tables": _COLD,
            "prod, tables at the quota": _GROWN,
            "tables of 1.7 million units, 200 pollers, 20,000 environments": _MOST,
        },
    )


def _flood() -> Scenario:
    flood = jobs_due(100_000, FIRST, tenant="flood")
    quiet = [jobs_due(20, FIRST + second, tenant="quiet") for second in range(60)]
    return Scenario(
        name="flood",
        title="100,000 runs of one tenant at once, 20 a second of another",
        promise="S2",
        jobs=[flood, *quiet],
        runs=101_200,
        choices={"prod, tables at the quota": _GROWN, "100 pollers": _POLLERS},
    )


def _throttled() -> Scenario:
    return Scenario(
        name="throttled",
        title="2,000 minutely runs a second; DynamoDB at a twentieth for a minute",
        jobs=minutely(120_000),
        counted_from=FIRST,
        runs=None,
        until=FIRST + 300,
        dips=((FIRST + 60, FIRST + 120, 0.05),),
        choices={"prod, tables at the quota": _GROWN},
    )


def _new_account() -> Scenario:
    return Scenario(
        name="new account",
        title="100 daily runs a second for a minute, ten executions in the account",
        jobs=spread(6_000, seconds=60),
        runs=6_000,
        choices={"dev, capacity none": _NEW_ACCOUNT},
    )


_COURSES = (
    _idle,
    _sustained,
    _peak,
    _slots,
    _slots_in_steady_state,
    _midnight,
    _flood,
    _throttled,
    _new_account,
)


def courses() -> Sequence[Scenario]:
    """Return every scenario."""
    return [each() for each in _COURSES]
