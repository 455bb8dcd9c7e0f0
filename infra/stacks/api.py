"""The way in."""

from collections.abc import Sequence

from aws_cdk import CfnOutput, Environment
from constructs import Construct

from infra.constructs.api.api_function import API
from infra.constructs.api.identity import TokenPool, sign_in_url, token_variables
from infra.constructs.api.job_api import JobApi
from infra.constructs.api.workers import WORKERS
from infra.constructs.console.console import Console
from infra.constructs.data.stores import Stores
from infra.constructs.observability.alerts import Alerts
from infra.constructs.runtime.description import Given
from infra.constructs.runtime.environment_size import CLIENT_ID, check_environments
from infra.constructs.runtime.rollout import Rollout
from infra.constructs.runtime.runtime_layers import RuntimeLayers
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.constructs.targeting.targets import AllowedTargets
from infra.constructs.targeting.targets_role import HookSecretsRole
from infra.rollout_choice import AT_ONCE
from infra.stacks.stage_stack import StageStack
from infra.stage.issuer import Issuer
from infra.stage.settings import StageSettings


class ApiStack(StageStack):
    """The HTTP API, its function, and the token issuer unless the stage names another."""

    def __init__(
        self,
        scope: Construct,
        *,
        settings: StageSettings,
        stores: Stores,
        alerts: Alerts,
        env: Environment | None,
    ) -> None:
        super().__init__(
            scope,
            "Api",
            settings=settings,
            meaning="the way in",
            env=env,
        )
        context = FunctionContext(
            settings=settings,
            layers=RuntimeLayers(self, "Layers", vendor=settings.vendor),
            alerts=alerts,
        )
        console = self._console(settings)
        origins = (*settings.console_origins, *((console.origin,) if console else ()))
        #: Where people read of runs; empty: nothing serves a console for them.
        self.console_url = origins[-1] if origins else ""
        issuer = self._issuer(settings, origins)
        given, tokens = (
            Given(reader=self, settings=settings, stores=stores),
            token_variables(self, issuer),
        )
        targets = AllowedTargets.of(self, settings)
        self.function = SchedulerFunction(
            self,
            "Function",
            context=context,
            description=API,
            given=given,
            own_variables={**tokens, **targets.environment(self)},
        )
        self._let_check_hooks(targets)
        self.workers = SchedulerFunction(
            self, "Workers", context=context, description=WORKERS, given=given, own_variables=tokens
        )
        self.job_api = JobApi(
            self,
            "JobApi",
            context=context,
            function=self.function,
            workers=self.workers,
            issuer=issuer,
            origins=origins,
        )
        if console:
            host = f"{self.job_api.api.api_id}.execute-api.{self.region}.{self.url_suffix}"
            console.complete(api_url=host, client_id=issuer.console_client)
        check_environments(context.made, self._client_ids(issuer))
        if settings.rollout != AT_ONCE:
            Rollout(self, "Rollout", settings=settings, alerts=alerts, functions=context.made)
        self._name_outputs()

    def _name_outputs(self) -> None:
        CfnOutput(self, "ApiUrl", value=self.job_api.url)
        CfnOutput(self, "ApiFunctionName", value=self.function.name)
        CfnOutput(self, "WorkersFunctionName", value=self.workers.name)

    def _client_ids(self, issuer: Issuer) -> dict[str, int]:
        """Return the bytes of the clients' ids, by the logical ids of the pool's own clients."""
        named = [self.resolve(each) for each in issuer.audience]
        return {each["Ref"]: CLIENT_ID for each in named if isinstance(each, dict)}

    def _issuer(self, settings: StageSettings, origins: Sequence[str]) -> Issuer:
        """Return the issuer that the stage names, or that of a pool of its own."""
        #: ``None``: the stage's tokens are of an issuer of its owner's.
        self.tokens: TokenPool | None = None
        if settings.issuer:
            return settings.issuer
        self.tokens = self._token_pool(settings, origins)
        return self.tokens.issuer

    def _let_check_hooks(self, targets: AllowedTargets) -> None:
        """Let the function read secrets of web hooks, with a session for one tenant at a time."""
        reader = HookSecretsRole(self, "HookSecrets", targets=targets, caller=self.function.role)
        arn = reader.role.role_arn
        self.function.allow(["sts:AssumeRole", "sts:TagSession"], arn)
        self.function.tell("HOOK_SECRETS_ROLE_ARN", arn)

    def _console(self, settings: StageSettings) -> Console | None:
        if not settings.console.served:
            return None
        return Console(self, "Console", settings=settings, sign_in_url=sign_in_url(settings))

    def _token_pool(self, settings: StageSettings, origins: Sequence[str]) -> TokenPool:
        tokens = TokenPool(self, "Tokens", settings=settings, origins=origins)
        clients = {client.tenant: client.client_id for client in tokens.clients}
        CfnOutput(self, "UserPoolId", value=tokens.pool.user_pool_id)
        if clients:
            CfnOutput(self, "UserPoolClientId", value=tokens.clients[0].client_id)
            CfnOutput(self, "TenantClientIds", value=self.to_json_string(clients))
        if tokens.admin_client_id:
            CfnOutput(self, "AdminClientId", value=tokens.admin_client_id)
        CfnOutput(self, "TokenUrl", value=tokens.token_url)
        if tokens.console_client_id:
            CfnOutput(self, "ConsoleClientId", value=tokens.console_client_id)
            CfnOutput(self, "SignInUrl", value=tokens.sign_in_url)
        return tokens
