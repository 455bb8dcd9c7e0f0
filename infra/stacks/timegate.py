"""A stage of Timegate as one construct: its stacks, connected."""

import json
from collections.abc import Mapping, Sequence

from aws_cdk import Environment, Stack, Token
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.assets.shipped import ROOT
from infra.concurrency import check_account
from infra.constructs.data.stage_key import encrypt_with_own_key
from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.health_alarm import HealthAlarm
from infra.stacks.api import ApiStack
from infra.stacks.data import DataStack
from infra.stacks.dispatch import DispatchStack
from infra.stacks.grants import StageGrants
from infra.stacks.naming import claim_name, environment_of
from infra.stacks.observability import ObservabilityStack
from infra.stage.deployed_functions import deployed_functions
from infra.stage.given.props import CONTEXT_KEYS, PropError, TimegateProps, as_context
from infra.stage.settings import StageSettings
from infra.stage.stage_context import stage_settings


class Timegate(Construct):
    """One stage: four stacks below this construct, in any app of the CDK.

    Without ``props`` the app's context says what the stage is. ``env`` is needed where stacks that
    use the stage have one; that of one of a pair is in the Region of ``region``.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        props: TimegateProps | None = None,
        *,
        env: Environment | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        self.settings = settings = _settings(self, props)
        check_account(settings)
        env = environment_of(settings, env)
        claim_name(self, settings.name, env)
        _pin_flags(self)
        data = DataStack(self, settings=settings, env=env)
        api = ApiStack(self, settings=settings, stores=data.stores, alerts=data.alerts, env=env)
        dispatch = DispatchStack(
            self,
            settings=settings,
            stores=data.stores,
            alerts=data.alerts,
            api_url=api.job_api.reachable_url,
            console_url=api.console_url,
            env=env,
        )
        health = _health({"data": data, "api": api, "dispatch": dispatch}, settings, data.alerts)
        observability = ObservabilityStack(
            self,
            settings=settings,
            alerts=data.alerts,
            api=api.job_api.api,
            health=health,
            env=env,
        )
        self.stacks: Sequence[Stack] = (data, api, dispatch, observability)
        key = encrypt_with_own_key(self, data, settings)
        self._grants = StageGrants(settings=settings, api=api, dispatch=dispatch, key=key)
        #: The address of the API.
        self.api_url = api.job_api.url
        #: The API itself, for a domain name or a dashboard of the app's.
        self.api = api.job_api.api
        #: ``None``: the stage's tokens are of an issuer of its owner's.
        self.user_pool = api.tokens.pool if api.tokens else None
        #: The address of the console; empty: the stage serves none.
        self.console_url = api.console_url
        #: Where alarms call people, and where they leave tickets.
        self.alerts_topic = data.alerts.topic
        self.tickets_topic = data.alerts.tickets

    @property
    def event_bus(self) -> events.IEventBus | None:
        """The bus of the stage's events; ``None``: events are off."""
        return self._grants.event_bus

    @property
    def function_names(self) -> Mapping[str, str]:
        """The name in the account of each function, by its name in Timegate: ``planner``."""
        names = deployed_functions(self.settings)
        return {name: self.settings.physical_name(name) for name in names}

    def grant_schedule(self, grantee: iam.IGrantable, tenant: str | None = None) -> iam.Grant:
        """Let a program call the API as a tenant; raises ``NotGranted``.

        It may do all that the tenant's programs may. A function is told the secret's name by
        ``TIMEGATE_PROFILE_SECRET``; ``timegate.client.parse_profile`` reads its text.
        """
        return self._grants.schedule(grantee, tenant)

    def grant_consume_events(
        self,
        function: lambda_.Function,
        *,
        types: Sequence[str] = ("io.timegate.",),
        tenant: str | None = None,
    ) -> events.Rule:
        """Call a function with each event whose type begins as one of ``types`` does.

        Raises ``NotGranted`` where the stage has no events.
        """
        return self._grants.consume_events(function, types, tenant)


def _settings(scope: Construct, props: TimegateProps | None) -> StageSettings:
    """The stage of the props, or of the app's context."""
    if props is None:
        return stage_settings(scope.node.try_get_context)
    context = as_context(props)
    for name in CONTEXT_KEYS:
        if Token.is_unresolved(context(name)):
            raise PropError(
                f"{name}: a stage's choices are recorded as text, and this is known at deployment"
                " alone. Give the resource a name, and say the name here."
            )
    return stage_settings(context)


def _pin_flags(stage: Construct) -> None:
    """Have the CDK's flags that this code is written for, whichever the app around it has."""
    pinned: Mapping[str, object] = json.loads((ROOT / "cdk.json").read_text())["context"]
    for flag, value in pinned.items():
        if flag.startswith("@aws-cdk/"):
            stage.node.set_context(flag, value)


def _health(
    stacks: Mapping[str, Stack], settings: StageSettings, alerts: Alerts
) -> list[HealthAlarm]:
    """One composite alarm for each stack."""
    return [
        HealthAlarm(stack, "Health", settings=settings, name=f"{name}-unhealthy", alerts=alerts)
        for name, stack in stacks.items()
    ]
