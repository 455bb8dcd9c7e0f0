"""Typed props: they say what the context says, and nothing that it could not."""

from dataclasses import fields

import pytest
from aws_cdk import App

from infra.stage.given.choices import CHOICES, PASSING
from infra.stage.given.props import CONTEXT_KEYS, PropError, TimegateProps, as_context, context_key
from infra.stage.stage_context import stage_settings
from infra.stage.target_kinds import TARGET_LISTS

EVENT = {"name": "paid", "tenant": "acme", "dag_id": "a" * 26, "pattern": {"source": ["shop"]}}
PROPS = TimegateProps(
    stage="shop",
    like="prod",
    capacity="standard",
    account_concurrency=2_000,
    shards=32,
    pollers={"normal-short": 2},
    tenants=["red", "blue"],
    quotas={"jobs": 7, "concurrent_runs": None},
    console=False,
    lambda_targets=("shop-*",),
    webhook_ports=[443, "8000-8999"],
    events=True,
    event_sampling=[{"types": ["io.timegate.run.started"], "percent": 10}],
    dag_events=[EVENT],
    objectives=False,
    audit_retention_days=30,
    trace_percent=12.5,
    rollout="linear",
)
CONTEXT = {
    "stage": "shop",
    "like": "prod",
    "capacity": "standard",
    "accountConcurrency": "2000",
    "shards": "32",
    "pollers": "normal-short=2",
    "tenants": "red,blue",
    "quotas": "jobs=7,concurrent_runs=none",
    "console": "off",
    "lambdaTargets": "shop-*",
    "webhookPorts": "443,8000-8999",
    "events": "on",
    "eventSampling": '[{"types": ["io.timegate.run.started"], "percent": 10}]',
    "dagEvents": '[{"name": "paid", "tenant": "acme", "dag_id": "aaaaaaaaaaaaaaaaaaaaaaaaaa",'
    ' "pattern": {"source": ["shop"]}}]',
    "objectives": "off",
    "auditRetentionDays": "30",
    "tracePercent": "12.5",
    "rollout": "linear",
}


def test_props_are_the_context_with_types() -> None:
    """The same stage, with the same record of its choices."""
    context = as_context(PROPS)
    said = {key: text for key in CONTEXT_KEYS if (text := context(key)) is not None}

    assert said == CONTEXT
    assert stage_settings(context) == stage_settings(CONTEXT.get)


def test_what_is_left_out_is_the_stages_own() -> None:
    """A missing context entry means the same."""
    assert stage_settings(as_context(TimegateProps(stage="prod"))) == stage_settings(
        {"stage": "prod"}.get
    )


def test_keys_of_the_context_follow_from_the_fields() -> None:
    """Each once; lists of targets, which have a register of their own, among them."""
    assert context_key("audit_retention_days") == "auditRetentionDays"
    assert len(set(CONTEXT_KEYS)) == len(fields(TimegateProps))
    assert {"stage", *CHOICES, *PASSING} == set(CONTEXT_KEYS)
    assert {each.setting for each in TARGET_LISTS} <= set(CONTEXT_KEYS)


@pytest.mark.parametrize(
    ("props", "message"),
    [
        (TimegateProps(tenants=["a,b"]), "tenants: 'a,b' has a comma"),
        (TimegateProps(shards=1.5), "shards: 1.5 is no value"),  # type: ignore[arg-type]
        (TimegateProps(queue_targets=[App()]), "queue_targets: <aws_cdk.App object"),  # type: ignore[list-item]
        (TimegateProps(tenants=[None]), "tenants: None is no text; say the name"),  # type: ignore[list-item]
        (TimegateProps(webhook_ports=[True]), "webhook_ports: True is no text"),
    ],
    ids=["comma", "type", "construct", "nothing", "switch"],
)
def test_a_value_that_no_context_could_have_is_refused(props: TimegateProps, message: str) -> None:
    """A name with a comma would be two, and a construct's text is no name of a resource."""
    with pytest.raises(PropError, match=message):
        as_context(props)
