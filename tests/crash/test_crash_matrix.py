"""The crash matrix: whatever happens at any call to AWS, what was promised is kept.

Production's roles allow every call that is made meanwhile, evaluated as IAM does.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random

import pytest

from tests.courses import COURSE, Course
from tests.crash.conftest import TRIED
from tests.crash.faults import Call, Fault, NotMet, Shape, faults_of, second_fault
from tests.crash.flows.main_flows import FLOWS
from tests.crash.selection import EVERY, POINTS, WHOLE, Points, chosen
from tests.crash.services.cloud import Cloud
from tests.crash.services.service import KIND, Service
from tests.crash.story import Flow, live_through
from tests.iam.evaluator import Request
from tests.iam.recording import Recorder
from tests.iam.roles import Roles
from tests.iam.service_calls import asked_of_key

#: So many faults of each flow are followed by another one, somewhere in what they lead to.
_PAIRS = {Points.ALL: 1_000_000, Points.APART: 10}.get(POINTS, 1 if COURSE is Course.SHORT else 2)
#: So many faults of each flow are tried once more while the sweeper looks between its ticks.
_AMONG_LOOKS = {Points.ALL: 1_000_000, Points.APART: 10}.get(POINTS, 1)
#: Flows that are struck among looks. `tests/iam/test_rights.py` lives through each among looks.
_STRUCK_AMONG_LOOKS = range(0, len(FLOWS), 1 if WHOLE else 3)
#: Tenants on which a fault is tried until it meets a call.
_TENANTS = 12
#: Shapes of ticks in the flows so far.
_KNOWN: set[Shape] = set()
#: Each flow, by its name, is tried once for all tests about it.
_TRIED: dict[str, "Tried"] = {}
_EACH_FLOW = pytest.mark.parametrize(
    "number", range(len(FLOWS)), ids=[flow.name for flow in FLOWS], scope="module"
)


@pytest.fixture(scope="module")
def cloud(cloud_that_tells: Cloud) -> Cloud:
    """Everything deployed; its calls are told to the newest recorder."""
    return cloud_that_tells


class Trial:
    """A flow, lived through again and again."""

    def __init__(
        self,
        flow: Flow,
        cloud: Cloud,
        name: str,
        *,
        whole: bool = False,
        service: Service = KIND,
    ) -> None:
        self._flow, self._cloud, self._name = flow, cloud, name
        self._live = partial(live_through, whole=whole, service=service)
        self.tried = 0
        self.broken: list[str] = []

    def meet(self, *faults: Fault) -> Sequence[Call]:
        """Live through it with these faults, and note what does not hold; the calls it made.

        Faults that meet no call of a tenant are tried on another one, until one meets them.
        """
        for _ in range(_TENANTS - 1):
            with suppress(NotMet):
                return self._lived(*faults)
        return self._lived(*faults, is_last=True)

    def _lived(self, *faults: Fault, is_last: bool = False) -> Sequence[Call]:
        self.tried += 1
        cloud, tenant = self._cloud, tenant_of(self._name, self.tried)
        try:
            return self._live(self._flow, cloud, tenant, *faults)
        except Exception as error:
            if isinstance(error, NotMet) and not is_last:
                raise
            place = traceback.extract_tb(error.__traceback__)[-1]
            failed = [f"{p.function} {p.number}: {e!r}" for p, e in cloud.region.failures]
            self.broken.append(
                f"{', then '.join(map(str, faults))}: {error!r} at {place.name}:{place.lineno},"
                f" invocations failed: {failed}"
            )
            return ()


@dataclass(frozen=True)
class Tried:
    """A flow, and all faults that were tried on it."""

    calls: Sequence[Call]
    trial: Trial
    #: Requests of its functions, recovery from faults included.
    recorder: Recorder


def _tried(number: int, cloud: Cloud, recorders: list[Recorder]) -> Tried:
    flow, tenant = FLOWS[number], f"tenant-{number}"
    if flow.name not in _TRIED:
        recorder = Recorder()
        recorder.at_work = recorders[0].at_work
        recorders[1:] = [recorder]
        calls = live_through(flow, cloud, tenant_of(tenant, 0))
        faults = chosen(flow, calls, _KNOWN)
        trial = Trial(flow, cloud, tenant)
        made = {fault: trial.meet(fault) for fault in faults}
        for first in _pairs(flow, faults):
            second = second_fault(first, made[first], flow.name) if made[first] else None
            if second is not None:
                trial.meet(first, second)
        _TRIED[flow.name] = Tried(calls, trial, recorder)
    return _TRIED[flow.name]


@_EACH_FLOW
def test_a_flow_keeps_its_promise_whatever_happens_at_any_call(
    number: int,
    cloud: Cloud,
    recorders: list[Recorder],
    record_property: Callable[[str, object], None],
) -> None:
    """A process dies before or after a call, loses its answer, or stalls.

    Some calls are tried with a second fault before the first one is made good.
    """
    tried = _tried(number, cloud, recorders)
    record_property(TRIED, (FLOWS[number].name, len(tried.calls), tried.trial.tried))

    assert tried.trial.broken == []


@_EACH_FLOW
def test_every_call_of_a_flow_is_allowed(
    number: int,
    cloud: Cloud,
    recorders: list[Recorder],
    roles: Roles,
    keyed_roles: Roles,
    telling_roles: Roles,
) -> None:
    """The roles allow its calls, those of recovery from faults, and the KMS calls they cause."""
    recorder = _tried(number, cloud, recorders).recorder

    assert recorder.unread == []
    assert {"api", "executor-normal-short"} & set(recorder.asked)
    for function, asked in recorder.asked.items():
        tells = FLOWS[number].tells
        own, keyed = (telling_roles, telling_roles) if tells else (roles, keyed_roles)
        assert own.denials(function, asked) == []
        assert keyed.denials(function, _of_the_key(asked)) == []


@pytest.mark.wide
@pytest.mark.parametrize(
    "number", _STRUCK_AMONG_LOOKS, ids=[FLOWS[number].name for number in _STRUCK_AMONG_LOOKS]
)
def test_a_flow_keeps_its_promise_while_the_sweeper_looks_between_its_ticks(
    number: int, cloud: Cloud, record_property: Callable[[str, object], None]
) -> None:
    """Looks come among all that is under way, and faults strike them as well."""
    flow, name = FLOWS[number], f"tenant-{number}-looks"
    calls = live_through(flow, cloud, tenant_of(name, 0), whole=True)
    faults = faults_of(calls, _KNOWN, every=EVERY)
    trial = Trial(flow, cloud, name, whole=True)
    for fault in Random(flow.name).sample(faults, min(_AMONG_LOOKS, len(faults))):
        made = trial.meet(fault)
        second = second_fault(fault, made, flow.name) if made else None
        if second is not None:
            trial.meet(fault, second)
    record_property(TRIED, (f"{flow.name} +", len(calls), trial.tried))

    assert trial.broken == []


def tenant_of(name: str, trial: int) -> str:
    """Name a tenant of a flow. All names are as long: the size of a record decides on calls."""
    return f"{name}-{trial:04}"


def _pairs(flow: Flow, faults: list[Fault]) -> list[Fault]:
    """Return the faults that a second one follows."""
    return Random(flow.name).sample(faults, min(_PAIRS, len(faults)))


def _of_the_key(asked: set[Request]) -> Iterator[Request]:
    return (each for request in asked for each in asked_of_key(request))
