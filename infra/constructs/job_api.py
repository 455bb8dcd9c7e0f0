"""The HTTP API in front of the API function."""

import json
from typing import cast

from aws_cdk import Duration
from aws_cdk import aws_apigatewayv2 as apigw
from aws_cdk.aws_apigatewayv2_authorizers import HttpJwtAuthorizer
from aws_cdk.aws_apigatewayv2_integrations import HttpLambdaIntegration
from constructs import Construct

from infra.constructs.alerts import Runbook
from infra.constructs.api_function import ApiFunction
from infra.constructs.log_group import BoundedLogGroup
from infra.constructs.scheduler_function import FunctionContext
from infra.constructs.workers_function import WorkersFunction
from infra.settings import Issuer, StageSettings

_SCOPE_BY_METHOD = {
    apigw.HttpMethod.GET: "read",
    apigw.HttpMethod.POST: "write",
    apigw.HttpMethod.PUT: "write",
    apigw.HttpMethod.PATCH: "write",
    apigw.HttpMethod.DELETE: "write",
}

#: What workers ask of the function of their own.
_WORKER_PATHS = (
    "/v1/pools/{pool}/claim",
    "/v1/runs/{run_id}/heartbeat",
    "/v1/runs/{run_id}/complete",
    "/v1/runs/{run_id}/fail",
    "/v1/runs/{run_id}/release",
    "/v1/runs/{run_id}/continue",
)
_POOL_PATH = "/v1/pools/{pool}"

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
        function: ApiFunction,
        workers: WorkersFunction,
        issuer: Issuer,
    ) -> None:
        super().__init__(scope, construct_id)
        settings = context.settings
        self._name = settings.physical_name("api")
        self.api = apigw.HttpApi(self, "Api", api_name=self._name, create_default_stage=False)
        self.url = self._stage(settings).url
        authorizer = HttpJwtAuthorizer("Token", issuer.url, jwt_audience=[*issuer.audience])
        integration = HttpLambdaIntegration("Function", function.function)
        for method, scope_name in _SCOPE_BY_METHOD.items():
            self.api.add_routes(
                path="/v1/{proxy+}",
                methods=[method],
                integration=integration,
                authorizer=authorizer,
                authorization_scopes=[f"{settings.scope_prefix}/{scope_name}"],
            )
        self._add_worker_routes(workers, authorizer, settings.scope_prefix)
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

    def _add_worker_routes(
        self, workers: WorkersFunction, authorizer: HttpJwtAuthorizer, scope_prefix: str
    ) -> None:
        integration = HttpLambdaIntegration("Workers", workers.function)
        routes = [(path, apigw.HttpMethod.POST, "worker") for path in _WORKER_PATHS]
        for path, method, scope_name in (*routes, (_POOL_PATH, apigw.HttpMethod.GET, "read")):
            self.api.add_routes(
                path=path,
                methods=[method],
                integration=integration,
                authorizer=authorizer,
                authorization_scopes=[f"{scope_prefix}/{scope_name}"],
            )

    def _stage(self, settings: StageSettings) -> apigw.HttpStage:
        log_group = BoundedLogGroup(
            self, "AccessLog", name=f"/aws/apigateway/{self._name}", settings=settings
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
