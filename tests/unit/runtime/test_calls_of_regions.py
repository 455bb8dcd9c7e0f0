"""A call goes to the region that its target's ARN names, over one client for each region."""

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders

from tests.support.factories import NOW, OTHER_TENANT, TENANT
from tests.unit.adapters.targets.calls import call_factory
from tests.unit.domain.actions.test_target_places import RULES, actions
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.action_target import TargetServices
from timegate.adapters.targets.aws.tenant_sessions import TenantSessions, tenant_session
from timegate.adapters.targets.kinds.webhook import secret_reader
from timegate.adapters.targets.router import TargetRouter
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.values.secrets import SecretRef
from timegate.ports.call_runner import TargetFailed
from timegate.runtime import clients

XML = b"<ErrorResponse><Error><Code>NotFound</Code></Error></ErrorResponse>"
ANSWER = b'{"executionArn": "e", "startDate": 0, "tasks": [{"taskArn": "t"}], "SecretString": "s"}'


class Answering(AWSResponse):
    """An answer of AWS that was not sent."""

    def __init__(self, request: AWSPreparedRequest, status: int, body: bytes) -> None:
        super().__init__(request.url, status, HTTPHeaders(), BytesIO(body))
        self._content = body


class Aws:
    """Clients as functions have them, whose requests are kept and never sent."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.built: list[tuple[str, str | None]] = []
        self.sessions_asked = 0
        self.answer = (200, ANSWER)
        sessions = TenantSessions(lambda: self, MemoryClock(NOW), role_arn="arn")  # type: ignore[arg-type,return-value]
        self._session = tenant_session(sessions)

    def assume_role(self, **_: object) -> dict[str, Any]:
        """Give a session, as STS does."""
        self.sessions_asked += 1
        keys = {"AccessKeyId": "a", "SecretAccessKey": "b", "SessionToken": "c"}
        return {"Credentials": {**keys, "Expiration": NOW.replace(year=NOW.year + 1)}}

    def client(self, service: str, /, *, waits: bool = False, region: str | None = None) -> Any:  # noqa: ANN401 - any client
        """Build a client as the wiring does."""
        self.built.append((service, region))
        client = clients.target(self._session, service, now=lambda: NOW, waits=waits, region=region)
        client.meta.events.register_first("before-send", self._send)
        return client

    def _send(self, request: AWSPreparedRequest, **_: object) -> AWSResponse:
        signed = str(request.headers["Authorization"]).split("/")[2]
        self.asked.append((urlsplit(request.url).netloc, signed))
        status, body = self.answer
        is_xml = urlsplit(request.url).netloc.startswith("sns.")
        return Answering(request, status, XML if is_xml else body)


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Aws:
    """AWS, as a function in eu-central-1 sees it."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    return Aws()


@pytest.fixture
def router(aws: Aws) -> TargetRouter:
    """The router of a stage in eu-central-1 that may call us-east-1."""
    return TargetRouter(services(aws))


def services(aws: Aws) -> TargetServices:
    """Services as a function has them."""
    return TargetServices(
        rules=RULES, clients=aws, clock=MemoryClock(NOW), api_url="", trace_percent=0
    )


def failure(router: TargetRouter, action: Action) -> Failure:
    """Return the failure of a call."""
    with pytest.raises(TargetFailed) as caught:
        router.invoke(call_factory(action=action))
    return caught.value.failure


HOSTS = {"eventbridge": "events", "stepfunctions": "states"}


@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1"])
@pytest.mark.parametrize("kind", actions("us-east-1"))
def test_a_call_goes_where_the_arn_says(
    kind: str, region: str, aws: Aws, router: TargetRouter
) -> None:
    """To the endpoint of its region, and signed for it: the own one's may have the same name."""
    aws.answer = (400, b'{"__type": "ResourceNotFoundException"}')
    failure(router, actions(region)[kind])

    assert {*aws.asked} == {(f"{HOSTS.get(kind, kind)}.{region}.amazonaws.com", region)}


def test_a_region_has_one_client_for_all_its_calls(aws: Aws, router: TargetRouter) -> None:
    """Shared by tenants, whose sessions are those of the own region: STS is asked once for each."""
    machine = {each: actions(each)["stepfunctions"] for each in ("us-east-1", "eu-central-1")}
    for tenant in (TENANT, OTHER_TENANT):
        for action in (*machine.values(), *machine.values()):
            router.invoke(call_factory(action=action, tenant=tenant))

    assert aws.built == [("stepfunctions", "us-east-1"), ("stepfunctions", None)]
    assert len(aws.asked) == 8
    assert aws.sessions_asked == 2


def test_no_client_is_built_for_a_region_that_is_not_allowed(
    aws: Aws, router: TargetRouter
) -> None:
    """A job may be older than the list: its call fails, and nothing is called."""
    found = failure(router, actions("us-east-2")["lambda"])
    with pytest.raises(TargetFailed) as stopped:
        router.stop(call_factory(action=actions("us-east-2")["ecs"]))

    assert (found.kind, found.code) == (FailureKind.PERMANENT, "region_not_allowed")
    assert stopped.value.failure.code == "region_not_allowed"
    assert (aws.built, aws.asked, aws.sessions_asked) == ([], [], 0)


def test_a_failure_in_another_region_names_it(aws: Aws, router: TargetRouter) -> None:
    """One of the own region is told as ever."""
    aws.answer = (400, b'{"__type": "StateMachineDoesNotExist"}')
    far = failure(router, actions("us-east-1")["stepfunctions"])
    near = failure(router, actions("eu-central-1")["stepfunctions"])

    assert (far.kind, far.code) == (near.kind, near.code) == ("permanent", "stepfunctions_refused")
    assert far.message == f"In us-east-1: {near.message}"


@pytest.mark.parametrize("code", ["UnrecognizedClientException", "OptInRequired"])
def test_a_region_that_is_not_enabled_is_tried_again_later(
    code: str, aws: Aws, router: TargetRouter
) -> None:
    """It knows no session until it is; enabling one takes minutes."""
    aws.answer = (403, b'{"__type": "%s"}' % code.encode())
    found = failure(router, actions("us-east-1")["eventbridge"])

    assert (found.kind, found.type) == (FailureKind.RETRYABLE, code)
    assert found.spreads_for_seconds is not None


def test_an_execution_is_stopped_where_it_runs(aws: Aws, router: TargetRouter) -> None:
    """Looks and stops go to the region that the start went to."""
    machine = actions("us-east-1")["stepfunctions"]
    assert isinstance(machine, StepFunctionsAction)
    aws.answer = (200, b'{"status": "RUNNING", "startDate": 0, "stopDate": 0}')
    waiting = StepFunctionsAction(
        state_machine_arn=machine.state_machine_arn, mode=ExecutionMode.WAIT
    )
    router.stop(call_factory(action=waiting))

    assert aws.asked == [("states.us-east-1.amazonaws.com", "us-east-1")] * 2


def test_a_secret_is_read_in_its_region(aws: Aws) -> None:
    """Over one client for each region; a parameter in the stage's own."""
    reader = secret_reader(services(aws))
    arn = "arn:aws:secretsmanager:{}:111122223333:secret:{}"
    for name in ("a", "b"):
        for region in ("us-east-1", "eu-central-1"):
            ref = SecretRef(secret_arn=arn.format(region, name))
            assert reader.read(TENANT, ref) == "s"
    with pytest.raises(TargetFailed) as refused:
        reader.read(TENANT, SecretRef(secret_arn=arn.format("us-east-2", "a")))

    assert refused.value.failure.code == "region_not_allowed"
    assert aws.built == [("secretsmanager", "us-east-1"), ("secretsmanager", None)]
    assert [region for _, region in aws.asked] == ["us-east-1", "eu-central-1"] * 2
