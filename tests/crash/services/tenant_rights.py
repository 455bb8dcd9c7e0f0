"""Sessions of tenants: STS, secrets, and clients of targets that ask STS before each call."""

import json
from datetime import timedelta
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from tests.crash.services.functions import Clients
from tests.support.event_triggers.triggering import KEY
from tests.support.stores.dynamodb_inside import answer, body_of
from timegate.adapters.targets.aws import tenant_sessions
from timegate.adapters.targets.aws.tenant_sessions import TenantSessions
from timegate.ports.clock import Clock

_ANSWER = """<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
<Credentials><AccessKeyId>ASIATENANT</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
<SessionToken>token</SessionToken><Expiration>{ends}</Expiration></Credentials>
</AssumeRoleResult></AssumeRoleResponse>"""


class Sts:
    """Grants every session for an hour."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request."""
        ends = self._clock.now() + timedelta(hours=1)
        body = _ANSWER.format(ends=f"{ends:%Y-%m-%dT%H:%M:%SZ}").encode()
        return answer(request, 200, {"content-type": "text/xml"}, body)


class Parameters:
    """Has one key under every name."""

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request."""
        found = {"Parameter": {"Name": json.loads(body_of(request))["Name"], "Value": KEY}}
        headers = {"content-type": "application/x-amz-json-1.1"}
        return answer(request, 200, headers, json.dumps(found).encode())


class ActingSession:
    """A session whose clients sign nothing, and still need the tenant's session."""

    def __init__(self, own: Clients, sessions: TenantSessions) -> None:
        self._own = own
        self._sessions = sessions

    def create_client(self, service: str, **settings: Any) -> Any:  # noqa: ANN401 - botocore's own
        """Build a client as botocore does, under the tenant's session."""
        return _ActingClient(self._own.create_client(service, **settings), self._sessions)


class _ActingClient:
    def __init__(self, client: Any, sessions: TenantSessions) -> None:  # noqa: ANN401
        self._client = client
        self._sessions = sessions

    @property
    def meta(self) -> Any:  # noqa: ANN401 - botocore's own
        return self._client.meta

    def __getattr__(self, operation: str) -> Any:  # noqa: ANN401 - botocore's own
        def call(**parameters: object) -> object:
            tenant = tenant_sessions._ACTING_FOR.get()
            assert tenant is not None
            self._sessions.credentials(tenant)
            return getattr(self._client, operation)(**parameters)

        return call
