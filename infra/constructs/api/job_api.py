"""The HTTP API in front of the API function."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from aws_cdk import Duration
from aws_cdk import aws_apigatewayv2 as apigw
from aws_cdk import aws_lambda as lambda_
from aws_cdk.aws_apigatewayv2_authorizers import HttpJwtAuthorizer
from aws_cdk.aws_apigatewayv2_integrations import HttpLambdaIntegration
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.api.cross_origin import (
    ALLOWED_HEADERS,
    ANSWER_HEADERS,
    MAX_AGE_SECONDS,
    METHODS,
)
from infra.constructs.api.served_operations import served_operations
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime.log_group import BoundedLogGroup
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.stage.issuer import Issuer
from infra.stage.settings import StageSettings

#: In front of every path that the holder of an API key asks for: the function checks the key.
KEY_PATH = "/key"
#: The API function refuses a path that we do not serve, with a problem that says so.
_METHODS = [apigw.HttpMethod[method] for method in METHODS]

_ACCESS_LOG = {
    "request_id": "$context.requestId",
    "requested_at": "$context.requestTime",
    "method": "$context.httpMethod",
    "path": "$context.path",
    "status": "$context.status",
    "latency_ms": "$context.responseLatency",
    "integration_latency_ms": "$context.integrationLatency",
    "client_id": "$context.authorizer.claims.client_id",
    "source_ip": "$context.identity.sourceIp",
    "error": "$context.error.message",
    "authorizer_error": "$context.authorizer.error",
}


class JobApi(Construct):
    """Version 1 of the API: a checked token on every route, throttled, every request logged."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        function: SchedulerFunction,
        workers: SchedulerFunction,
        issuer: Issuer,
        origins: Sequence[str] = (),
    ) -> None:
        super().__init__(scope, construct_id)
        settings = context.settings
        self._name = settings.physical_name("api")
        self.api = apigw.HttpApi(
            self,
            "Api",
            api_name=self._name,
            create_default_stage=False,
            cors_preflight=_cors((*settings.cors_origins, *origins)),
        )
        self._by_path = settings.api_by_path
        self._default = self._stage(settings)
        self.url = self._default.url
        self._add_routes(
            HttpJwtAuthorizer("Token", issuer.url, jwt_audience=[*issuer.audience]),
            {
                # One permission for all routes: a policy of one for each outgrows its limit.
                "api": HttpLambdaIntegration(
                    "Function", function.live, scope_permission_to_route=False
                ),
                "workers": HttpLambdaIntegration(
                    "Workers", workers.live, scope_permission_to_route=False
                ),
            },
            settings,
        )
        context.alerts.alarm(
            self,
            "ServerErrors",
            name=f"{self._name}-5xx",
            meaning="The API answers with server errors.",
            metric=self.api.metric_server_error(statistic="Sum", period=Duration.minutes(1)),
            threshold=5,
            periods=2,
            runbook=Runbook.API_ERRORS,
        )

    def _add_routes(
        self,
        authorizer: HttpJwtAuthorizer,
        integrations: Mapping[str, HttpLambdaIntegration],
        settings: StageSettings,
    ) -> None:
        opened: list[str] = []
        for each in served_operations():
            guarded, integration = each.scope is not None, integrations[each.function]
            if not guarded:
                opened += self._let_in([each.method], each.path, integration)
                continue
            routes = self.api.add_routes(
                path=each.path,
                methods=[apigw.HttpMethod[each.method]],
                integration=integration,
                authorizer=authorizer,
                authorization_scopes=[f"{settings.scope_prefix}/{each.scope}"],
            )
            _permit_first(routes)
            if each.function == "workers":
                opened += self._let_in([each.method], f"{KEY_PATH}{each.path}", integration)
        opened += self._let_in(METHODS, f"{KEY_PATH}/v1/{{proxy+}}", integrations["api"])
        # Strangers may call them, and must not use up what tenants may ask.
        throttled: dict[str, object] = dict.fromkeys(opened, _throttle(settings))
        cast("apigw.CfnStage", self._default.node.default_child).route_settings = throttled
        self.api.add_routes(
            path="/v1/{proxy+}",
            methods=_METHODS,
            integration=integrations["api"],
            authorizer=authorizer,
        )

    def _let_in(
        self, methods: Sequence[str], path: str, integration: HttpLambdaIntegration
    ) -> list[str]:
        """Open routes of callbacks, web hooks, links or keys: their callers have no token of an
        issuer. Returns their keys.
        """
        routes = self.api.add_routes(
            path=path,
            methods=[apigw.HttpMethod[method] for method in methods],
            integration=integration,
            authorizer=apigw.HttpNoneAuthorizer(),
        )
        _permit_first(routes)
        for route in routes:
            reason = "It carries a token, a key or a signature, which the function checks."
            acknowledge(route, "APIG4", reason)
            # Its throttle names it.
            self._default.node.add_dependency(route)
        return [f"{method} {path}" for method in methods]

    @property
    def reachable_url(self) -> str:
        """Return the URL that targets reach; a path on the local cloud, whose host names do not
        resolve.
        """
        return f"/_aws/execute-api/{self.api.api_id}/$default" if self._by_path else self.url

    def _stage(self, settings: StageSettings) -> apigw.HttpStage:
        log_group = BoundedLogGroup(
            self, "AccessLog", name=f"/aws/vendedlogs/apigateway/{self._name}", settings=settings
        )
        stage = apigw.HttpStage(
            self,
            "Stage",
            http_api=self.api,
            stage_name="$default",
            auto_deploy=True,
            throttle=apigw.ThrottleSettings(
                rate_limit=settings.api_rate_per_second, burst_limit=settings.api_burst
            ),
        )
        # The L2 property is an interface that Python cannot fill in.
        resource = cast("apigw.CfnStage", stage.node.default_child)
        destination = apigw.LogGroupLogDestination(log_group).bind(stage)
        resource.access_log_settings = apigw.CfnStage.AccessLogSettingsProperty(
            destination_arn=destination.destination_arn, format=json.dumps(_ACCESS_LOG)
        )
        return stage


def _permit_first(routes: Sequence[apigw.HttpRoute]) -> None:
    """Make an integration after the permission to use it: a stage that is upgraded is asked."""
    made = [child for route in routes for child in route.node.children]
    permissions = [each for each in made if isinstance(each, lambda_.CfnPermission)]
    for each in made if permissions else ():
        if isinstance(each, apigw.HttpIntegration):
            each.node.add_dependency(*permissions)


def _cors(origins: Sequence[str]) -> apigw.CorsPreflightOptions | None:
    """Build the CORS answer for pages of these origins; the pages send tokens themselves."""
    if not origins:
        return None
    return apigw.CorsPreflightOptions(
        allow_origins=list(origins),
        allow_methods=[apigw.CorsHttpMethod[method] for method in METHODS],
        allow_headers=list(ALLOWED_HEADERS),
        expose_headers=list(ANSWER_HEADERS),
        max_age=Duration.seconds(MAX_AGE_SECONDS),
    )


def _throttle(settings: StageSettings) -> dict[str, int]:
    return {
        "ThrottlingRateLimit": settings.callback_rate_per_second,
        "ThrottlingBurstLimit": settings.callback_burst,
    }
