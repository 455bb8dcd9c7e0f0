"""A simulation tells the notices of the use cases for the same scenario."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.support.simulation.listening import ListeningReplay, simulated_told
from timegate.contracts.simulation.reading import read_document
from timegate.domain.runs.run import Attempt
from timegate.domain.simulation import Row, Scenario, simulate
from timegate.domain.values.identity import OWN_RUNS

QUARTERS: dict[str, Any] = {
    "schedule": {"kind": "cron", "cron": "*/15 * * * *"},
    "from": "2026-11-21T07:00:30Z",
    "to": "2026-11-21T12:00:00Z",
}
#: Nothing is claimed for some minutes.
AWAY = {"outages": [{"from": "2026-11-21T07:15:00Z", "to": "2026-11-21T07:22:30Z"}]}
FAILS = ["succeeded", "failed", "dead_lettered", "failed", "failed", "succeeded"]
RULES = {
    "ops": {
        "when": {
            "failures_in_a_row": 2,
            "dead_letter": True,
            "late_after_seconds": 60,
            "absent": {"for_seconds": 1800},
            "recovered": True,
        }
    }
}
QUIET = {"windows": [{"opens": "07:40", "closes": "08:20"}]}

SCENARIOS: dict[str, dict[str, Any]] = {
    "late": {"late_after_seconds": 120, "executor": AWAY},
    "late at the first look at a run of a trigger": {
        "late_after_seconds": 0,
        "triggers": ["2026-11-21T07:16:35.250Z", "2026-11-21T07:18:52.250Z"],
        "executor": AWAY,
    },
    "late at once": {"late_after_seconds": 0, "executor": AWAY},
    "begins before it is looked at": {"late_after_seconds": 445, "executor": AWAY},
    "late behind another run": {
        "late_after_seconds": 240,
        "schedule": {"kind": "cron", "cron": "*/10 * * * *"},
        "to": "2026-11-21T08:30:00Z",
        "overlap": {"policy": "queue"},
        "run_seconds": 800,
    },
    "late behind a freeze": {
        "late_after_seconds": 240,
        "freezes": [
            {
                "scope": {"kind": "tenant"},
                "from": "2026-11-21T07:40:00Z",
                "to": "2026-11-21T08:10:00Z",
                "created_at": "2026-11-21T07:39:00Z",
                "thaw": "all",
            }
        ],
    },
    "late as the sweeper looks if a freeze goes on": {
        "late_after_seconds": 30,
        "triggers": ["2026-11-21T07:04:27.250Z"],
        "to": "2026-11-21T07:14:00Z",
        "freezes": [
            {
                "scope": {"kind": "tenant"},
                "from": "2026-11-21T07:04:00Z",
                "to": "2026-11-21T07:14:50Z",
            }
        ],
    },
    "late in a line as a freeze begins": {
        "late_after_seconds": 30,
        "schedule": {"kind": "cron", "cron": "* * * * *"},
        "from": "2026-11-21T07:09:46Z",
        "to": "2026-11-21T07:30:00Z",
        "overlap": {"policy": "queue"},
        "run_seconds": 200,
        "executor": {"outages": [{"from": "2026-11-21T07:11:25Z", "to": "2026-11-21T07:17:02Z"}]},
        "planner": {"tick_offset_seconds": 18},
        "freezes": [
            {
                "scope": {"kind": "tenant"},
                "from": "2026-11-21T07:17:09Z",
                "to": "2026-11-21T07:17:42Z",
                "thaw": "skip",
            }
        ],
    },
    "caught up too late, and told of by its row alone": {
        "late_after_seconds": 0,
        "planner": {
            "outages": [{"from": "2026-11-21T07:01:00Z", "to": "2026-11-21T08:20:30Z"}],
        },
        "start_within_seconds": 1,
    },
    "absent": {"absent_after_seconds": 3600, "outcomes": ["succeeded", "failed"]},
    "absent and back": {
        "absent_after_seconds": 1200,
        "outcomes": ["succeeded", "failed", "failed", "succeeded", "failed"],
    },
    "paused": {"pause_after_failures": 3, "outcomes": FAILS, "absent_after_seconds": 3600},
    "resumed, and fails its trial": {
        "pause_after_failures": 3,
        "outcomes": ["failed"],
        "resumes": ["2026-11-21T09:20:00Z"],
    },
    "resumed, and passes its trial": {
        "pause_after_failures": 2,
        "outcomes": ["failed", "failed", "succeeded", "failed", "succeeded", "failed", "failed"],
        "resumes": ["2026-11-21T09:20:00Z"],
    },
    "triggers that fail pause nothing": {
        "pause_after_failures": 2,
        "outcomes": ["failed"],
        "triggers": ["2026-11-21T07:05:00.250Z", "2026-11-21T07:20:00.250Z"],
        "to": "2026-11-21T08:00:00Z",
    },
    "a trigger that succeeds ends no row": {
        "pause_after_failures": 2,
        "outcomes": ["failed", "succeeded", "failed"],
        "triggers": ["2026-11-21T07:20:00.250Z"],
        "to": "2026-11-21T08:00:00Z",
    },
    "completed, and awaited no more": {
        "schedule": QUARTERS["schedule"] | {"max_runs": 2},
        "absent_after_seconds": 1200,
        "outcomes": ["succeeded", "failed"],
    },
    "rules": {"rules": RULES, "outcomes": FAILS, "executor": AWAY},
    "quiet rules": {
        "rules": {"ops": RULES["ops"] | {"quiet_hours": QUIET}},
        "outcomes": FAILS,
        "executor": AWAY,
    },
    "rules of a paused job": {
        "rules": RULES,
        "pause_after_failures": 2,
        "outcomes": ["succeeded", "failed"],
        "resumes": ["2026-11-21T10:00:00Z"],
    },
    "rules of a job that a caller paused": {
        "rules": RULES,
        "absent_after_seconds": 1800,
        "outcomes": ["succeeded", "failed"],
        "pauses": [{"from": "2026-11-21T07:40:00Z", "to": "2026-11-21T10:00:00Z"}],
    },
    "a pause by a caller awaits nothing": {
        "absent_after_seconds": 1800,
        "pauses": [{"from": "2026-11-21T07:40:00Z", "to": "2026-11-21T10:00:00Z"}],
    },
}


def scenario(name: str) -> Scenario:
    """The scenario of a name."""
    return read_document(QUARTERS | SCENARIOS[name]).scenario


def ends(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    """Return what became of each run, and when."""
    runs = [row for row in rows if isinstance(row, Attempt)]
    return sorted(
        (str(run.id.run.scheduled_at), str(run.state), str(run.reason), str(run.ended_at))
        for run in runs
    )


def is_row(attempt: Attempt, of: Scenario) -> bool:
    """Tell if a stored run is one of the range, and no message."""
    run = attempt.id.run
    return run.origin in OWN_RUNS and run.scheduled_at < of.end


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_a_simulation_tells_what_the_use_cases_tell(name: str) -> None:
    """Each notice at its instant, of its run, by its rule, in its words."""
    found = scenario(name)
    simulated, replay = simulate(found), ListeningReplay(found)
    own = [run for run in replay.run().attempts() if is_row(run, found)]

    assert simulated_told(simulated) == replay.told()
    assert ends(row for _, row in simulated.named_rows) == ends(own)


def test_each_scenario_tells_something_but_two() -> None:
    """Else the test above would hold of nothing."""
    silent = [name for name in sorted(SCENARIOS) if not simulate(scenario(name)).notices]

    assert silent == [
        "a pause by a caller awaits nothing",
        "caught up too late, and told of by its row alone",
    ]
