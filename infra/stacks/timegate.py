"""All the stacks of a stage, connected."""

from collections.abc import Mapping

from aws_cdk import App, CliCredentialsStackSynthesizer, Stack

from infra.concurrency import check_account
from infra.constructs.data.stage_key import encrypt_with_own_key
from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.health_alarm import HealthAlarm
from infra.stacks.api import ApiStack
from infra.stacks.data import DataStack
from infra.stacks.dispatch import DispatchStack
from infra.stacks.observability import ObservabilityStack
from infra.stage.settings import StageSettings


def add_stacks(app: App, settings: StageSettings) -> None:
    """Add ``Timegate-<stage>-…`` to ``app``; no account and no region is needed."""
    check_account(settings)

    def synthesizer() -> CliCredentialsStackSynthesizer | None:
        return None if settings.bootstrapped else CliCredentialsStackSynthesizer()

    prefix = f"Timegate-{settings.name}"
    data = DataStack(app, f"{prefix}-Data", settings=settings, synthesizer=synthesizer())
    api = ApiStack(
        app,
        f"{prefix}-Api",
        settings=settings,
        stores=data.stores,
        alerts=data.alerts,
        synthesizer=synthesizer(),
    )
    dispatch = DispatchStack(
        app,
        f"{prefix}-Dispatch",
        settings=settings,
        stores=data.stores,
        alerts=data.alerts,
        api_url=api.job_api.reachable_url,
        console_url=api.console_url,
        synthesizer=synthesizer(),
    )
    ObservabilityStack(
        app,
        f"{prefix}-Observability",
        settings=settings,
        alerts=data.alerts,
        api=api.job_api.api,
        health=_health({"data": data, "api": api, "dispatch": dispatch}, settings, data.alerts),
        synthesizer=synthesizer(),
    )
    encrypt_with_own_key(app, data, settings)


def _health(
    stacks: Mapping[str, Stack], settings: StageSettings, alerts: Alerts
) -> list[HealthAlarm]:
    """One composite alarm for each stack."""
    return [
        HealthAlarm(stack, "Health", settings=settings, name=f"{name}-unhealthy", alerts=alerts)
        for name, stack in stacks.items()
    ]
