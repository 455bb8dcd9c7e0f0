"""Jobs on the deployed stack while everything around them fails, and what becomes of them.

Workers are killed, calls are throttled or their answers lost, messages and stream records arrive
twice. ``make chaos`` runs 500 jobs and kills for two minutes, under each fault alone and under all,
with what is deployed. ``make chaos-short`` has a few with all faults at once, in which leases are
short and the sweeper is quick, so that what a dead worker held comes back in seconds. The counts
are printed; docs/design/faults.md has a table of them.
"""

import json
import os
import sys
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from infra.local.demo.show import warm
from tests.support.deployed.chaos.chaos_course import (
    ALL_FAULTS,
    Course,
    create,
    disturbed,
    ended,
    every,
    looked_at,
    through,
)
from tests.support.deployed.chaos.chaos_judge import complaints, counted, logged, told
from tests.support.deployed.chaos.chaos_table import HEADER, rows
from tests.support.deployed.effects import effects
from tests.support.deployed.fault_proxy import Faults, fault_proxy
from tests.support.deployed.killer import Killer
from tests.support.deployed.stack import Stack
from tests.support.deployed.stream_copies import StreamCopies

#: The draws are the same each time; when they strike is up to the machine.
SEED = 20_261_121
SHORT = Course(
    jobs=36,
    spread=timedelta(seconds=18),
    faults=ALL_FAULTS,
    kill_every=1.5,
    copied=0.2,
    hurried=True,
)
#: Between two jobs that are due, of a course with hundreds of them.
PACE = timedelta(seconds=0.24)
#: Seconds between kills that leave two cores the time to start processes anew.
FEW_KILLS = 6.0


def courses(jobs: int) -> dict[str, Course]:
    """All faults together and each by itself, with what is deployed."""
    everything = replace(SHORT, jobs=jobs, spread=jobs * PACE, hurried=False)
    quiet = replace(everything, faults=Faults(), kill_every=None, copied=0.0)
    return {
        "all together": everything,
        "none": quiet,
        "kills": replace(quiet, kill_every=everything.kill_every),
        "few kills": replace(quiet, kill_every=FEW_KILLS),
        "throttles": replace(quiet, faults=Faults(throttled=0.05)),
        "lost answers": replace(quiet, faults=Faults(unanswered=0.05)),
        "duplicates": replace(quiet, faults=Faults(doubled=0.2), copied=0.2),
    }


#: ``TIMEGATE_CHAOS``: the number of jobs.
JOBS = int(os.environ.get("TIMEGATE_CHAOS", "0"))
COURSES = courses(JOBS) if JOBS else {"all together": SHORT}


@pytest.mark.parametrize("name", COURSES)
def test_no_run_is_lost_and_effects_are_as_promised(
    stack: Stack, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Every run ends, on record; each mode keeps what it says of effects."""
    course, log_begins = COURSES[name], logged(stack)
    copies = StreamCopies(stack, share=course.copied, dice=Random(SEED + 1))
    with (
        effects(stack.aws("dynamodb"), "timegate-effects", seed=SEED + 2) as target,
        fault_proxy(stack.cloud.port, course.faults, seed=SEED + 3) as proxy,
    ):
        killer = Killer(stack, target, disturbed(stack), Random(SEED + 4), course.most_kills)
        with through(stack, proxy, course):
            warm(stack.cloud, stack.outputs)
            looked_at(stack)
            with every(course.kill_every, killer.kill), every(copies.interval, copies.send):
                subjects = create(stack, course, target, Random(SEED))
                ended(stack, subjects, target, hurried=course.hurried)
        stories = told(stack, subjects, target)
    counts = {
        "kills": killer.kills,
        **proxy.counts,
        "records sent again": copies.sent,
        **target.counts,
        **counted(stories),
        "logged": logged(stack) - log_begins,
    }
    with capsys.disabled():
        sys.stdout.write(f"\nchaos, {name}: {json.dumps(counts)}\n{HEADER}\n")
        table = rows(name, stories, killer.struck, killer.deaths)
        sys.stdout.writelines(f"{row}\n" for row in table)

    found = complaints(stories)
    assert not found, "\n".join(found)
    assert killer.kills["at work"] > 0 or course.kill_every is None
