"""AWS may deliver twice, tick at any second and throttle on any day, in every flow."""

from collections import Counter
from collections.abc import Callable
from random import Random
from zlib import crc32

import pytest

from tests.crash.conftest import TRIED
from tests.crash.faults import Call, Fault, Mode, faults_of
from tests.crash.flows.main_flows import FLOWS
from tests.crash.judges.checker import instant
from tests.crash.selection import EVERY, WHOLE
from tests.crash.services.cloud import Cloud
from tests.crash.services.functions import LOOK_AHEAD_SECONDS
from tests.crash.services.queueing.queues import VISIBILITY
from tests.crash.services.service import Service
from tests.crash.story import Flow, Story, live_through
from tests.crash.test_crash_matrix import Trial, tenant_of
from timegate.domain.runs.watch import MAX_RECEIVES

pytestmark = pytest.mark.wide

#: Throttled for so long, a message of ``short`` goes to the dead letters unread.
_TAKEN_SECONDS = MAX_RECEIVES * VISIBILITY["short"].total_seconds() + 40
SERVICES = {
    "twice at once": Service(again_after=0),
    "twice, soon": Service(again_after=4, seed="soon"),
    "twice, late": Service(again_after=95, seed="late"),
    "at any second": Service(seed="any"),
    "crowded": Service(is_crowded=True, seed="crowded"),
    "in part": Service(refuses_entries=True, seed="in part"),
    "careless": Service(is_careless=True, again_after=30, seed="careless"),
    "taken": Service(taken_seconds=_TAKEN_SECONDS, is_crowded=True),
}
#: Seeds of the moments at which ticks come.
_SEEDS = range(12)
#: A run that was planned in time begins so soon, at most.
_PUNCTUAL_SECONDS = 1.0


#: Each flow gets one kind of service, by its name; ``make crash-matrix`` gives it every kind.
SERVED = [
    pytest.param(number, name, id=f"{flow.name}-{name}")
    for number, flow in enumerate(FLOWS)
    for place, name in enumerate(SERVICES)
    if WHOLE or place == crc32(flow.name.encode()) % len(SERVICES)
]


@pytest.mark.parametrize(("number", "name"), SERVED)
def test_a_flow_keeps_its_promise_whatever_service_it_gets(
    number: int, name: str, cloud: Cloud, record_property: Callable[[str, object], None]
) -> None:
    """Without a fault, and with some: what comes again comes while the first one stands still."""
    flow, service = FLOWS[number], SERVICES[name]
    named = f"served-{number}-{list(SERVICES).index(name)}"
    calls = live_through(flow, cloud, tenant_of(named, 0), service=service)
    trial = Trial(flow, cloud, named, service=service)
    for fault in _sample(calls, f"{flow.name} {name}"):
        trial.meet(fault)
    record_property(TRIED, (f"{flow.name}, {name}", len(calls), trial.tried))

    assert trial.broken == []


def _sample(calls: list[Call], seed: str) -> list[Fault]:
    """A stall, and another fault; always the same ones."""
    faults = faults_of(calls, set(), every=EVERY)
    if EVERY:
        return faults
    Random(seed).shuffle(faults)
    faults.sort(key=lambda fault: fault.mode is not Mode.STALLED)
    return [faults[0], faults[-1]]


def _flow(name: str) -> Flow:
    (flow,) = (each for each in FLOWS if each.name == name)
    return flow


def test_everything_comes_again(cloud: Cloud) -> None:
    """Messages, records and ticks: each invocation has a second one; requests have none."""
    begun = []
    for again_after in (None, 4):
        service = Service(again_after=again_after)
        calls = live_through(
            _flow("plan and relay"), cloud, f"again-{again_after}", service=service
        )
        begun.append(Counter(function for _, function in {(c.process, c.function) for c in calls}))
    once, again = begun
    doubled = {function for function in once if again[function] >= 2 * once[function]}

    assert doubled == set(once) - {"api"}
    assert doubled == {"planner", "relay", "executor short", "outcomes", "sweeper"}
    assert again["api"] == once["api"]


def _begin_minutely(story: Story) -> list[str]:
    """A job for each of four seconds of the minute."""
    rate = {"kind": "rate", "every_seconds": 60, "max_runs": 4}
    return [
        story.create(
            f"at-{second}",
            schedule=rate | {"starts_at": story.instant(LOOK_AHEAD_SECONDS + second)},
        )
        for second in (0, 17, 50, 59)
    ]


def _each_is_punctual(story: Story, jobs: list[str]) -> None:
    for job_id in jobs:
        assert story.ends(job_id) == [("succeeded", None)] * 4
    due = sorted(instant(str(row.text("due_at"))) for row in story.rows)
    begun = sorted(effect.at for effect in story.effects)
    late = [(at - on).total_seconds() for at, on in zip(begun, due, strict=True)]
    assert 0 <= min(late) <= max(late) <= _PUNCTUAL_SECONDS, late


@pytest.mark.parametrize("seed", _SEEDS)
def test_runs_are_punctual_at_whatever_second_ticks_come(cloud: Cloud, seed: int) -> None:
    """Two ticks of a function are up to two minutes apart: what is planned ahead lasts longer."""
    flow = Flow("minutely", _begin_minutely, _each_is_punctual)
    live_through(flow, cloud, f"punctual-{seed}", service=Service(seed=f"punctual {seed}"))


def test_what_was_received_and_throttled_goes_to_the_dead_letters_unharmed(cloud: Cloud) -> None:
    """No receive came to a lease: nothing is buried, and the run is published once more."""
    service = SERVICES["taken"]
    calls = live_through(_flow("create immediate"), cloud, "throttled", service=service)
    begun = [call.function for call in calls]

    assert "dead_letter" in begun
    assert begun.index("dead_letter") < begun.index("executor short")
