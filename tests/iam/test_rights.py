"""Every right that production grants is needed by a call, or its reason is in a table here."""

import pytest

from infra.stage.settings import FUNCTION_NAMES
from tests.crash.flows.main_flows import FLOWS
from tests.crash.services.cloud import Cloud
from tests.crash.story import live_through
from tests.iam.evaluator import Request
from tests.iam.recording import TARGETS, Recorder
from tests.iam.roles import Roles, denials, rights, without
from tests.iam.service_calls import asked_by_services, asked_of_key, grouped
from tests.iam.spared import SPARED, explained
from tests.iam.standing_for import everywhere
from tests.iam.surveys import surveyed
from tests.iam.target_calls import call_every_target
from tests.infra.stage_template import StageTemplate


@pytest.fixture
def asked(
    cloud: Cloud, recorder: Recorder, prod: StageTemplate, monkeypatch: pytest.MonkeyPatch
) -> dict[str, set[Request]]:
    """By function: what all flows ask for, all reads, all targets, and the services themselves."""
    # This stage tells of no transitions; ``test_crash_matrix.py`` holds those of one that does.
    for number, flow in enumerate(each for each in FLOWS if not each.tells):
        live_through(surveyed(flow), cloud, f"tenant-{number}", whole=True)
    call_every_target(recorder, monkeypatch)
    assert recorder.unread == []
    found = everywhere(recorder.asked)
    by_role = grouped(asked_by_services(prod))
    by_function = {
        name: found[name] | by_role[prod.function(name).properties["Role"].removesuffix(".Arn")]
        for name in FUNCTION_NAMES
    }
    return by_function | {TARGETS: recorder.asked[TARGETS]}


def part_of(function: str) -> str:
    """The executors are one part."""
    return "executor-*" if function.startswith("executor-") else function


@pytest.mark.wide
def test_each_right_is_needed_or_has_a_reason(asked: dict[str, set[Request]], roles: Roles) -> None:
    """Taking one away denies something: so the evaluator sees what a role lacks.

    ``SPARED`` lists each right without a call in a flow, with its caller.
    """
    unexplained: set[str] = set()
    for name, requests in asked.items():
        statements = roles.of(name)
        assert denials(name, statements, requests) == []
        spare = {
            str(right)
            for right in set(rights(statements))
            if not denials(name, without(statements, right), filter(right.covers, requests))
        }

        unexplained |= {f"{name}: {right}" for right in spare - explained(part_of(name))}

    assert unexplained == set()


def test_each_reason_is_of_a_right_that_is_granted(roles: Roles) -> None:
    """A right that was taken back takes its reason along."""
    for part in SPARED:
        granted = {
            str(right)
            for name in FUNCTION_NAMES
            if part_of(name) == part
            for right in rights(roles.of(name))
        }

        assert explained(part) - granted == set(), part


def test_roles_of_services_allow_what_services_do(
    prod: StageTemplate, keyed: StageTemplate, roles: Roles, keyed_roles: Roles
) -> None:
    """Schedules, the machine of DAG runs, event sources, destinations, and KMS for each."""
    for template, found in ((prod, roles), (keyed, keyed_roles)):
        for role, requests in grouped(asked_by_services(template)).items():
            entailed = {each for request in requests for each in asked_of_key(request)}
            asked = requests | (entailed if template is keyed else set())
            assert denials(role, found.of_role(role), asked) == []


def test_a_schedule_can_do_nothing_but_wake_its_function(prod: StageTemplate, roles: Roles) -> None:
    """The roles of services have no right that their service does not need."""
    by_role = grouped(asked_by_services(prod))
    functions = {prod.function(name).properties["Role"] for name in FUNCTION_NAMES}
    for role in set(by_role) - {each.removesuffix(".Arn") for each in functions}:
        statements = roles.of_role(role)
        needless = [
            str(right)
            for right in rights(statements)
            if not denials(role, without(statements, right), filter(right.covers, by_role[role]))
        ]

        assert needless == [], role
