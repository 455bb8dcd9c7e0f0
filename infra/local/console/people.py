"""People of the local stage, and the console's place in its pool and its API."""

from dataclasses import dataclass

from infra.constructs.api.cross_origin import (
    ALLOWED_HEADERS,
    ANSWER_HEADERS,
    MAX_AGE_SECONDS,
    METHODS,
)
from infra.constructs.console.places import SIGNED_IN, SIGNED_OUT
from infra.local.cloud import LocalCloud
from infra.local.deployment import Outputs
from timegate.domain.tenants.people import SIGN_IN_RETURNS, Role


@dataclass(frozen=True, kw_only=True)
class LocalPerson:
    """A person of the local stage; her password is no secret."""

    name: str
    password: str
    roles: tuple[Role, ...]


DEMO = LocalPerson(name="first/demo", password="Demo-of-this-machine-1", roles=tuple(Role))  # noqa: S106
VIEWER = LocalPerson(
    name="first/viewer",
    password="Viewer-of-this-machine-1",  # noqa: S106
    roles=(Role.VIEWER,),
)
#: A person of the tenant that is not the first one's.
STRANGER = LocalPerson(
    name="second/stranger",
    password="Stranger-of-this-machine-1",  # noqa: S106
    roles=(Role.EDITOR,),
)
PEOPLE = (DEMO, VIEWER, STRANGER)


def make_people(cloud: LocalCloud, outputs: Outputs) -> None:
    """Make those that are not there yet, each with her password and roles."""
    cognito = cloud.client("cognito-idp")
    pool = {"UserPoolId": outputs["UserPoolId"]}
    for person in PEOPLE:
        who = {**pool, "Username": person.name}
        try:
            cognito.admin_create_user(
                **who, TemporaryPassword=person.password, MessageAction="SUPPRESS"
            )
        except cognito.exceptions.UsernameExistsException:
            continue
        cognito.admin_set_user_password(**who, Password=person.password, Permanent=True)
        for role in person.roles:
            cognito.admin_add_user_to_group(**who, GroupName=str(role))


def open_to(cloud: LocalCloud, outputs: Outputs, origin: str) -> None:
    """Let the console at ``origin`` sign people in, and call the API.

    Templates name an origin that stands for it: the port differs from cloud to cloud.
    """
    cognito = cloud.client("cognito-idp")
    asked = {"UserPoolId": outputs["UserPoolId"], "ClientId": outputs["ConsoleClientId"]}
    known = cognito.describe_user_pool_client(**asked)["UserPoolClient"]
    stays = cognito.meta.service_model.operation_model("UpdateUserPoolClient").input_shape.members
    cognito.update_user_pool_client(
        **{name: value for name, value in known.items() if value and name in stays}
        | {
            "CallbackURLs": [f"{origin}{SIGNED_IN}", *SIGN_IN_RETURNS],
            "LogoutURLs": [f"{origin}{SIGNED_OUT}"],
        }
    )
    gateway = cloud.client("apigatewayv2")
    api_id = outputs["ApiUrl"].split("//")[1].split(".")[0]
    gateway.update_api(
        ApiId=api_id,
        CorsConfiguration={
            "AllowOrigins": [origin],
            "AllowMethods": METHODS,
            "AllowHeaders": ALLOWED_HEADERS,
            "ExposeHeaders": ANSWER_HEADERS,
            "MaxAge": MAX_AGE_SECONDS,
        },
    )
