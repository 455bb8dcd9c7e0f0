"""The tenant of a request: from the checked token, and from nowhere else."""

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from api.refusals import NoTenant, Unauthenticated
from timegate.domain.errors import InvalidInput
from timegate.domain.tenant import TenantId, tenant_id


def tenant_of(event: APIGatewayProxyEventV2, claim: str) -> TenantId:
    """The tenant; raises ``Unauthenticated`` without a token, ``NoTenant`` without a usable claim.

    The gateway checks tokens before it calls us; a request without claims did not pass there.
    """
    authorizer = event["requestContext"].get("authorizer") or {}
    claims = (authorizer.get("jwt") or {}).get("claims")
    if not claims:
        raise Unauthenticated
    try:
        return tenant_id(claims.get(claim))
    except InvalidInput as error:
        raise NoTenant from error
