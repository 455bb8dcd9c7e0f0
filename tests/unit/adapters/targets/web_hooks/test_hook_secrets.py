"""Secrets of web hooks: requests that nothing has proven yet cause a read a minute at most."""

from typing import Any

import pytest

from tests.support.factories import NOW, OTHER_TENANT, TENANT
from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets import hook_secrets
from timegate.adapters.targets.hook_secrets import ReadHookSecrets
from timegate.adapters.targets.secret_reader import SecretReader
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import HookUnavailable

RULES = TargetRules(
    allowed_secrets=("arn:aws:ssm:us-east-1:111122223333:parameter/timegate-target/{tenant}/*",)
)


def secret_of(tenant: TenantId, name: str = "hook") -> SecretRef:
    """Return a place that the tenant may name."""
    return SecretRef(ssm_parameter=f"/timegate-target/{tenant}/{name}")


class Store:
    """Parameter Store with texts by name, and the reader of hooks before it."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 - a stubbed client
        self.clock = MemoryClock(NOW)
        self.texts: dict[str, str] = {}
        self.asked: list[str] = []
        self._not_found = client.exceptions.ParameterNotFound
        client.get_parameter = self._get
        reader = SecretReader(lambda _: client, lambda _: client, RULES, self.clock)
        self.secrets = ReadHookSecrets(reader, self.clock)

    def _get(self, Name: str, **_: object) -> dict[str, Any]:  # noqa: N803 - boto3's
        self.asked.append(Name)
        if Name not in self.texts:
            raise self._not_found({"Error": {"Code": "ParameterNotFound"}}, "GetParameter")
        return {"Parameter": {"Value": self.texts[Name]}}

    def is_unavailable(self, tenant: TenantId, name: str = "hook") -> bool:
        """Read a secret; tell if that failed."""
        try:
            self.secrets.read(tenant, secret_of(tenant, name))
        except HookUnavailable:
            return True
        return False


@pytest.fixture
def parameters(stubbed: Stubbed) -> Store:
    client, _ = stubbed("ssm")
    return Store(client)


def test_a_failure_is_remembered_for_a_minute(parameters: Store) -> None:
    """A repaired secret is read at the minute, not a moment before."""
    failed = [parameters.is_unavailable(TENANT) for _ in range(100)]
    parameters.texts["/timegate-target/acme/hook"] = "key"
    parameters.clock.advance(59.999)
    still = parameters.is_unavailable(TENANT)
    asked = len(parameters.asked)
    parameters.clock.advance(0.001)

    assert (all(failed), still, asked) == (True, True, 1)
    assert not parameters.is_unavailable(TENANT)


def test_a_failure_is_that_of_one_tenant_and_one_secret(parameters: Store) -> None:
    """A neighbour's secret is read, and so is another one of the same tenant."""
    parameters.texts["/timegate-target/acme/other"] = "key"
    parameters.texts[f"/timegate-target/{OTHER_TENANT}/hook"] = "key"

    assert parameters.is_unavailable(TENANT)
    assert not parameters.is_unavailable(TENANT, "other")
    assert not parameters.is_unavailable(OTHER_TENANT)


def test_failures_have_a_bound(parameters: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process forgets them all before it remembers more than its bound."""
    monkeypatch.setattr(hook_secrets, "MAX_FAILURES", 3)
    for number in range(4):
        parameters.is_unavailable(TENANT, str(number))

    assert len(parameters.secrets._failures) == 1
