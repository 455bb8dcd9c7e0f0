"""Grants of a stage to other parts of its app."""

from collections.abc import Sequence
from hashlib import sha256

from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_

from infra.constructs.api.identity import TenantClient, TokenPool
from infra.constructs.api.program_access import PROFILE_SECRET, ProgramAccess
from infra.stacks.api import ApiStack
from infra.stacks.dispatch import DispatchStack
from infra.stage.settings import StageSettings
from timegate.domain.cloud_events.cloud_event import source_of
from timegate.domain.values.tenant import TenantId

_DIGITS = 8
#: Metadata of a function: the stage and the tenant whose profile it is told.
_PROFILE_OF = "timegate:profile"


class NotGranted(ValueError):
    """The stage has not got what was asked for; the message begins with a code."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code


class StageGrants:
    """Makes what a grant needs when it is first asked for: a stage without grants pays for none."""

    def __init__(
        self,
        *,
        settings: StageSettings,
        api: ApiStack,
        dispatch: DispatchStack,
        key: kms.IKey | None,
    ) -> None:
        self._settings = settings
        self._api = api
        self._key = key
        self._programs: dict[str, ProgramAccess] = {}
        name = dispatch.bus_name
        self.event_bus = (
            events.EventBus.from_event_bus_name(dispatch, "ConsumedBus", name) if name else None
        )

    def schedule(self, grantee: iam.IGrantable, tenant: str | None) -> iam.Grant:
        """Let it read the profile of a tenant's client; raises ``NotGranted``."""
        tokens = self._api.tokens
        if tokens is None:
            raise NotGranted(
                "no_client_of_stage",
                "The stage's tokens are of an issuer of yours: give the program a client of it.",
            )
        client = self._client(tokens, tenant)
        _keep_one_profile(grantee, f"{self._settings.name}/{client.tenant}")
        if client.tenant not in self._programs:
            self._programs[client.tenant] = ProgramAccess(
                self._api,
                f"Program-{client.tenant}",
                settings=self._settings,
                client=client,
                api_url=self._api.job_api.reachable_url,
                token_url=tokens.reachable_token_url,
                key=self._key,
            )
        return self._programs[client.tenant].grant(grantee)

    def consume_events(
        self, function: lambda_.Function, types: Sequence[str], tenant: str | None
    ) -> events.Rule:
        """Make a rule of the bus beside the function; raises ``NotGranted``."""
        if self.event_bus is None:
            raise NotGranted("events_off", "The stage has no bus of events: set events=True.")
        stage = self._settings.name
        return events.Rule(
            function,
            _rule_id(function, stage, types, tenant),
            event_bus=self.event_bus,
            description=f"Events of Timegate {stage} for {function.node.id}",
            event_pattern=events.EventPattern(
                source=self._sources(tenant),
                detail_type=[text for each in types for text in events.Match.prefix(each)],
            ),
            targets=[targets.LambdaFunction(function)],
        )

    def _sources(self, tenant: str | None) -> list[str]:
        """Sources of a tenant's events, by the name of its client or by its id, or of all."""
        stage = self._settings.name
        if tenant is None:
            return events.Match.prefix(f"/timegate/{stage}/")
        tokens = self._api.tokens
        ids = {each.tenant: each.client_id for each in tokens.clients} if tokens else {}
        # An id of Cognito's needs no escape, and is known at deployment alone.
        return [
            f"/timegate/{stage}/{ids[tenant]}"
            if tenant in ids
            else source_of(stage, TenantId(tenant))
        ]

    def _client(self, tokens: TokenPool, tenant: str | None) -> TenantClient:
        clients = {each.tenant: each for each in tokens.clients}
        if tenant is None and len(clients) == 1:
            (tenant,) = clients
        if tenant not in clients:
            asked = "Say tenant=" if tenant is None else f"{tenant!r} is no tenant of the stage"
            known = f"one of {', '.join(clients)}" if clients else "it has no tenants="
            raise NotGranted("unknown_tenant", f"{asked}: {known}.")
        return clients[tenant]


def _keep_one_profile(grantee: iam.IGrantable, profile: str) -> None:
    """Note on a function whose profile it is told; raises ``NotGranted`` where it has another's.

    One variable names the secret: a second tenant's name would silently take the first one's place.
    """
    if not isinstance(grantee, lambda_.Function):
        return
    known = [each.data for each in grantee.node.metadata if each.type == _PROFILE_OF]
    if not known:
        grantee.node.add_metadata(_PROFILE_OF, profile)
    elif profile not in known:
        raise NotGranted(
            "other_profile",
            f"{grantee.node.path} has the profile of {known[0]}, and {PROFILE_SECRET} names one."
            f" Grant its role that of {profile}, and tell it the secret's name yourself.",
        )


def _rule_id(
    function: lambda_.Function, stage: str, types: Sequence[str], tenant: str | None
) -> str:
    """Name a rule after its stage; a further one of the same function after its events as well."""
    name = f"EventsOf-{stage}"
    if function.node.try_find_child(name) is None:
        return name
    events_of = "\n".join([tenant or "", *types])
    return f"{name}-{sha256(events_of.encode()).hexdigest()[:_DIGITS]}"
