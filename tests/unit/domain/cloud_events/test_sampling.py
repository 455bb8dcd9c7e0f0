"""Sampling: rules in order, shares of things, and no chance."""

import json

import pytest

from tests.support.factories import TENANT, after
from timegate.domain.cloud_events.cloud_event import CloudEvent
from timegate.domain.cloud_events.event_types import (
    JOB_CREATED,
    RUN_PLANNED,
    RUN_STARTED,
    EventType,
)
from timegate.domain.cloud_events.sampling import InvalidSampling, Sampling
from timegate.domain.values.tenant import TenantId


def event(number: int = 0, kind: EventType = RUN_STARTED, tenant: TenantId = TENANT) -> CloudEvent:
    """An event of one run of many."""
    return CloudEvent(
        tenant=tenant,
        type=kind,
        subject=f"runs/{number}",
        time=after(number),
        data={},
        occurrence="",
    )


def sampling(*rules: object) -> Sampling:
    """Rules, read as functions read them."""
    return Sampling.parse(json.dumps(rules))


def test_without_rules_everything_is_sent() -> None:
    """An event that no rule covers is sent as well."""
    others = sampling({"types": ["io.timegate.job.*"], "percent": 0})

    assert Sampling.parse("").includes(event())
    assert others.includes(event())
    assert not others.includes(event(kind=JOB_CREATED))


def test_the_first_rule_that_covers_an_event_decides() -> None:
    """A rule of a tenant stands before one of all."""
    rules = sampling({"tenants": ["acme"], "percent": 100}, {"percent": 0})

    assert rules.includes(event())
    assert not rules.includes(event(tenant=TenantId("acme2")))


@pytest.mark.parametrize(("pattern", "covered"), [("ac*", True), ("acme", True), ("acm", False)])
def test_a_name_is_whole_unless_it_ends_in_an_asterisk(pattern: str, covered: bool) -> None:
    """Nothing else of a pattern is special."""
    assert sampling({"tenants": [pattern], "percent": 0}).includes(event()) is not covered


def test_a_share_is_that_of_things() -> None:
    """A rule of ten percent chooses about a thousand of ten thousand runs, always the same ones."""
    tenth = sampling({"percent": 10})
    chosen = [number for number in range(10_000) if tenth.includes(event(number))]
    again = [
        number for number in range(10_000) if sampling({"percent": 10}).includes(event(number))
    ]

    assert 900 < len(chosen) < 1_100
    assert chosen == again


def test_a_run_is_sampled_as_a_whole() -> None:
    """Under one share it has all its events or none; a larger share has those of a smaller."""
    half, most = sampling({"percent": 50}), sampling({"percent": 90})
    runs = range(200)

    assert all(
        half.includes(event(n, RUN_PLANNED)) is half.includes(event(n, RUN_STARTED)) for n in runs
    )
    assert {n for n in runs if half.includes(event(n))} < {
        n for n in runs if most.includes(event(n))
    }


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "[1]",
        '[{"types": ["io.timegate.run.*"]}]',
        '[{"percent": 10, "share": 1}]',
        '[{"percent": 101}]',
        '[{"percent": -1}]',
        '[{"percent": 0.005}]',
        '[{"percent": true}]',
        '[{"percent": "10"}]',
        '[{"percent": 10, "types": []}]',
        '[{"percent": 10, "types": "io.timegate.run.*"}]',
        '[{"percent": 10, "types": ["io.timegate.run.exploded"]}]',
        '[{"percent": 10, "tenants": ["a#b"]}]',
        json.dumps([{"percent": 1}] * 21),
    ],
)
def test_rules_that_say_nothing_are_refused(text: str) -> None:
    """Before anything is deployed: a misspelt type would be sent in full."""
    with pytest.raises(InvalidSampling):
        Sampling.parse(text)


@pytest.mark.parametrize("percent", [0, 0.01, 0.29, 12.34, 99.99, 100])
def test_a_percent_has_two_decimals(percent: float) -> None:
    """Also those that binary fractions do not hold."""
    (rule,) = sampling({"percent": percent}).rules

    assert rule.parts == round(percent * 100)
