"""Sessions of tenants: who asks STS, how often, and with whose rights a target is called."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest
from botocore.exceptions import ClientError, ConnectTimeoutError

from tests.support.factories import NOW, OTHER_TENANT, TENANT
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.aws.tenant_sessions import (
    MAX_SESSIONS,
    SESSION_LENGTH,
    TenantSessions,
    acting_for,
    tenant_session,
)
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed
from timegate.runtime import clients

ROLE = "arn:aws:iam::111122223333:role/targets"


class FakeSts:
    """Grants sessions of an hour, and remembers who asked for them."""

    def __init__(self, clock: MemoryClock) -> None:
        self._clock = clock
        self.asked: list[dict[str, Any]] = []
        self.refusal: Exception | None = None

    def assume_role(self, **asked: Any) -> dict[str, Any]:  # noqa: ANN401 - boto3's own
        """Answer with credentials of the tag's tenant, or raise the refusal."""
        self.asked.append(asked)
        if self.refusal is not None:
            raise self.refusal
        (tag,) = asked["Tags"]
        given = {
            "AccessKeyId": f"ASIA-{tag['Value']}",
            "SecretAccessKey": "secret",
            "SessionToken": f"token-{len(self.asked)}",
            "Expiration": self._clock.now() + timedelta(seconds=asked["DurationSeconds"]),
        }
        return {"Credentials": given}

    @property
    def calls(self) -> Counter[str]:
        """Count the calls per tenant."""
        return Counter(asked["Tags"][0]["Value"] for asked in self.asked)


@pytest.fixture
def clock() -> MemoryClock:
    return MemoryClock(NOW)


@pytest.fixture
def sts(clock: MemoryClock) -> FakeSts:
    return FakeSts(clock)


@pytest.fixture
def sessions(sts: FakeSts, clock: MemoryClock) -> TenantSessions:
    build: Callable[[], Any] = lambda: sts  # noqa: E731
    return TenantSessions(build, clock, role_arn=ROLE)


def test_a_session_is_asked_for_with_the_tenant_and_nothing_else(
    sessions: TenantSessions, sts: FakeSts
) -> None:
    """The tag binds it; the name is what CloudTrail shows."""
    sessions.credentials(TenantId("a-b"))

    assert sts.asked == [
        {
            "RoleArn": ROLE,
            "RoleSessionName": "timegate-a_2db",
            "Tags": [{"Key": "tenant", "Value": "a_2db"}],
            "DurationSeconds": 3600,
        }
    ]


def test_one_call_serves_a_tenant_for_an_hour(
    sessions: TenantSessions, sts: FakeSts, clock: MemoryClock
) -> None:
    """Until a minute before its end, on either side of that."""
    before = {sessions.credentials(TENANT) for _ in range(100)}
    clock.advance(SESSION_LENGTH.total_seconds() - 60.001)
    still = sessions.credentials(TENANT)
    clock.advance(0.001)
    after = sessions.credentials(TENANT)

    assert before == {still}
    assert after != still
    assert len(sts.asked) == 2


def test_threads_that_need_a_session_at_once_share_one_call(
    sessions: TenantSessions, sts: FakeSts
) -> None:
    """Eight threads cost one call per tenant."""
    together = Barrier(8)

    def ask(tenant: TenantId) -> object:
        together.wait()
        return sessions.credentials(tenant)

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(ask, [TENANT, OTHER_TENANT] * 4))

    assert len(found) == 2
    assert sts.calls == {TENANT: 1, OTHER_TENANT: 1}


def test_a_process_remembers_a_bounded_number_of_sessions(
    sessions: TenantSessions, sts: FakeSts
) -> None:
    """The one used longest ago is asked for again."""
    for number in range(MAX_SESSIONS):
        sessions.credentials(TenantId(f"t{number}"))
    sessions.credentials(TenantId("t0"))
    sessions.credentials(TenantId("one more"))
    sessions.credentials(TenantId("t0"))
    sessions.credentials(TenantId("t1"))

    assert len(sessions._slots) == MAX_SESSIONS
    assert (sts.calls["t0"], sts.calls["t1"]) == (1, 2)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ClientError({"Error": {"Code": "AccessDenied"}}, "AssumeRole"), "AccessDenied"),
        (ClientError({"Error": {"Code": "Throttling"}}, "AssumeRole"), "Throttling"),
        (ConnectTimeoutError(endpoint_url="https://sts"), "ConnectTimeoutError"),
    ],
)
def test_a_refusal_may_pass_and_names_nothing(
    sessions: TenantSessions, sts: FakeSts, clock: MemoryClock, error: Exception, kind: str
) -> None:
    """The target is not called. Waiting threads fail together; a second later one calls again."""
    sts.refusal = error
    for _ in range(5):
        with pytest.raises(TargetFailed) as refused:
            sessions.credentials(TENANT)
        assert refused.value.failure.code == "tenant_session_unavailable"
        assert refused.value.failure.kind == "retryable"
        assert refused.value.failure.type == kind
        assert ROLE not in refused.value.failure.message
    asked = len(sts.asked)
    sts.refusal = None
    clock.advance(1)

    assert sessions.credentials(TENANT).access_key == f"ASIA-{TENANT}"
    assert (asked, len(sts.asked)) == (1, 2)


def test_each_request_is_signed_for_the_tenant_that_it_is_made_for(
    sessions: TenantSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One client serves all tenants; without one it signs nothing."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "the function's own")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    queue = clients.target(tenant_session(sessions), "sqs", now=MemoryClock(NOW).now)
    sent: list[tuple[str, str]] = []

    def keep(request: AWSPreparedRequest, **_: object) -> None:
        headers: Any = request.headers
        authorization = headers["Authorization"].decode()
        key = authorization.partition("Credential=")[2].partition("/")[0]
        sent.append((key, headers["X-Amz-Security-Token"].decode()))
        raise ClientError({"Error": {"Code": "Kept"}}, "SendMessage")

    hook: Any = keep
    queue.meta.events.register("before-send", hook)
    for tenant in (TENANT, OTHER_TENANT, TENANT):
        with acting_for(tenant), pytest.raises(ClientError):
            queue.send_message(QueueUrl="https://sqs.us-east-1.amazonaws.com/1/q", MessageBody="b")

    with pytest.raises(RuntimeError, match="for no tenant"):
        queue.send_message(QueueUrl="https://sqs.us-east-1.amazonaws.com/1/q", MessageBody="b")
    assert sent == [
        (f"ASIA-{TENANT}", "token-1"),
        (f"ASIA-{OTHER_TENANT}", "token-2"),
        (f"ASIA-{TENANT}", "token-1"),
    ]


def test_sessions_come_from_the_functions_own_region(monkeypatch: pytest.MonkeyPatch) -> None:
    """An outage of another Region stops no target."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)

    assert clients.sts().meta.endpoint_url == "https://sts.eu-central-1.amazonaws.com"


@pytest.mark.parametrize("tenant", ["a", "x" * 128])
def test_every_tenant_has_a_name_that_sts_takes(
    sessions: TenantSessions, sts: FakeSts, tenant: str
) -> None:
    """A session's has 2 to 64 characters, a tag's value up to 256."""
    sessions.credentials(TenantId(tenant))
    (asked,) = sts.asked

    assert 2 <= len(asked["RoleSessionName"]) <= 64
    assert len(asked["Tags"][0]["Value"]) <= 256
