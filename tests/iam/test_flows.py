"""Production's roles allow every call that the functions make, evaluated as IAM does."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.crash.faults import faults_of
from tests.crash.flows.main_flows import FLOWS
from tests.crash.services.cloud import Cloud
from tests.crash.story import live_through
from tests.iam.evaluator import Request
from tests.iam.recording import Recorder
from tests.iam.roles import Roles
from tests.iam.service_calls import asked_of_key

#: So many faults of each flow are lived through as well: recovery makes calls of its own.
_FAULTS = 4


@pytest.mark.parametrize("number", range(len(FLOWS)), ids=[flow.name for flow in FLOWS])
def test_every_call_of_a_flow_is_allowed(
    number: int,
    cloud: Cloud,
    recorder: Recorder,
    roles: Roles,
    keyed_roles: Roles,
    telling_roles: Roles,
) -> None:
    """Those of its own, those that recovery from faults makes, and those of KMS that they cause."""
    flow, tenant = FLOWS[number], f"tenant-{number}"
    calls = live_through(flow, cloud, tenant)
    faults = faults_of(calls, set(), every=False)
    sample = Random(flow.name).sample(faults, min(_FAULTS, len(faults)))
    for tried, fault in enumerate(sample):
        live_through(flow, cloud, f"{tenant}-{tried}", fault)

    assert recorder.unread == []
    assert {"api", "executor-normal-short"} & set(recorder.asked)
    for function, asked in recorder.asked.items():
        own, keyed = (telling_roles, telling_roles) if flow.tells else (roles, keyed_roles)
        assert own.denials(function, asked) == []
        assert keyed.denials(function, _of_the_key(asked)) == []


def _of_the_key(asked: set[Request]) -> Iterator[Request]:
    return (each for request in asked for each in asked_of_key(request))
