"""Secrets: read when needed, remembered for a moment, and shown nowhere."""

import json
import logging
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import EndpointConnectionError

from tests.support.factories import NOW, OTHER_TENANT, TENANT
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import refusal, told
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.secret_reader import SecretReader
from timegate.domain.actions.target_rules import ReachablePlaces, TargetPlace, TargetRules
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.values.secrets import SecretRef
from timegate.ports.call_runner import TargetFailed

PLACE = "us-east-1:111122223333"
ARN = f"arn:aws:secretsmanager:{PLACE}:secret:timegate-target/acme/crm-a1B2c3"
NAME = "/timegate-target/acme/crm"
SECRET = SecretRef(secret_arn=ARN)
PARAMETER = SecretRef(ssm_parameter=NAME)
RULES = TargetRules(
    allowed_secrets=(
        f"arn:aws:secretsmanager:{PLACE}:secret:timegate-target/{{tenant}}/*",
        f"arn:aws:ssm:{PLACE}:parameter/timegate-target/{{tenant}}/*",
    )
)


class Vault:
    """Both services, scripted, and a reader of them."""

    def __init__(self, stubbed: Stubbed) -> None:
        self.clock = MemoryClock(NOW)
        self.secrets, self._secret_answers = stubbed("secretsmanager")
        self.parameters, self._parameter_answers = stubbed("ssm")
        self.reader = SecretReader(
            lambda _: self.secrets, lambda _: self.parameters, RULES, self.clock
        )

    def answers(self, text: str) -> None:
        """Secrets Manager is asked once."""
        answer = {"SecretString": text}
        self._secret_answers.add_response("get_secret_value", answer, {"SecretId": ARN})

    def answers_parameter(self, text: str) -> None:
        """Parameter Store is asked once, for the plain text."""
        asked = {"Name": NAME, "WithDecryption": True}
        answer = {"Parameter": {"Value": text}}
        self._parameter_answers.add_response("get_parameter", answer, asked)

    def answers_bytes(self) -> None:
        """Secrets Manager has a secret that is no text."""
        self._secret_answers.add_response("get_secret_value", {"SecretBinary": b"hunter2"})

    def fails(self, code: str) -> None:
        """Secrets Manager refuses once."""
        self._secret_answers.add_client_error("get_secret_value", code)

    def fails_parameter(self, code: str) -> None:
        """Parameter Store refuses once."""
        self._parameter_answers.add_client_error("get_parameter", code)

    def failure(self, ref: SecretRef) -> Failure:
        """Return the failure of reading a secret."""
        with pytest.raises(TargetFailed) as caught:
            self.reader.read(TENANT, ref)
        return caught.value.failure


@pytest.fixture
def vault(stubbed: Stubbed) -> Vault:
    return Vault(stubbed)


def test_a_secret_is_read_where_it_is_kept(vault: Vault) -> None:
    """In Secrets Manager or in Parameter Store; blanks around it are none of it."""
    vault.answers("Bearer abc\n")
    vault.answers_parameter(" Bearer def ")

    assert vault.reader.read(TENANT, SECRET) == "Bearer abc"
    assert vault.reader.read(TENANT, PARAMETER) == "Bearer def"


@pytest.mark.parametrize(
    ("place", "region", "asked"),
    [
        (PLACE, None, NAME),
        ("eu-west-1:111122223333", "eu-west-1", NAME),
        ("eu-west-1:999999999999", "eu-west-1", None),
    ],
)
def test_a_parameter_of_an_arn_is_read_in_its_region(
    place: str, region: str | None, asked: str | None
) -> None:
    """By its name in the own account; another account's answers to the ARN alone."""
    own = TargetPlace(partition="aws", region="us-east-1", account="111122223333")
    rules = TargetRules(
        allowed_secrets=("arn:aws:ssm:*:*:parameter/timegate-target/{tenant}/*",),
        places=ReachablePlaces(own=own, regions=frozenset({"eu-west-1"})),
    )
    store = Mock(**{"get_parameter.return_value": {"Parameter": {"Value": "abc"}}})
    clients = Mock(return_value=store)
    reader = SecretReader(Mock(side_effect=AssertionError), clients, rules, MemoryClock(NOW))
    ref = SecretRef(ssm_parameter=f"arn:aws:ssm:{place}:parameter{NAME}")

    assert reader.read(TENANT, ref) == "abc"
    clients.assert_called_once_with(region)
    store.get_parameter.assert_called_once_with(
        Name=asked or ref.ssm_parameter, WithDecryption=True
    )


def test_one_of_several_is_meant_by_its_key(vault: Vault) -> None:
    """Secrets Manager keeps a user name beside a password in one document."""
    vault.answers('{"user": "me", "token": "abc"}')

    assert vault.reader.read(TENANT, SecretRef(secret_arn=ARN, json_key="token")) == "abc"
    assert vault.reader.read(TENANT, SecretRef(secret_arn=ARN, json_key="user")) == "me"


def test_a_secret_is_remembered_for_a_minute(vault: Vault) -> None:
    """A rotation is seen at the minute, not a moment before."""
    vault.answers("old")
    vault.answers("new")
    first = vault.reader.read(TENANT, SECRET)
    vault.clock.advance(59.999)
    still = vault.reader.read(TENANT, SECRET)
    vault.clock.advance(0.001)

    assert (first, still) == ("old", "old")
    assert vault.reader.read(TENANT, SECRET) == "new"


def test_a_secret_is_read_anew_once_a_second(vault: Vault) -> None:
    """A target that refuses every call orders one request of AWS a second, and no more."""
    vault.answers("old")
    vault.answers("new")
    vault.reader.read(TENANT, SECRET)
    vault.clock.advance(0.999)
    still = vault.reader.read_anew(TENANT, SECRET)
    vault.clock.advance(0.001)

    assert still == "old"
    assert vault.reader.read_anew(TENANT, SECRET) == "new"
    assert vault.reader.read(TENANT, SECRET) == "new"


def test_a_failure_is_not_remembered(vault: Vault) -> None:
    """A missing secret may be created later."""
    vault.fails("ResourceNotFoundException")
    vault.answers("there")

    assert vault.failure(SECRET).code == "secret_not_found"
    assert vault.reader.read(TENANT, SECRET) == "there"


def test_no_tenant_reads_what_another_has_read(vault: Vault) -> None:
    """Also when it is remembered."""
    vault.answers("acme's")
    vault.reader.read(TENANT, SECRET)

    assert refusal(lambda: vault.reader.read(OTHER_TENANT, SECRET)) == (
        FailureKind.PERMANENT,
        "secret_not_allowed",
        "NotAllowed",
    )


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("ResourceNotFoundException", FailureKind.PERMANENT, "secret_not_found"),
        ("InvalidRequestException", FailureKind.PERMANENT, "secret_not_found"),
        ("AccessDeniedException", FailureKind.RETRYABLE, "secret_not_readable"),
        ("DecryptionFailure", FailureKind.PERMANENT, "secret_not_readable"),
        ("ThrottlingException", FailureKind.RETRYABLE, "secret_unavailable"),
        ("InternalServiceError", FailureKind.RETRYABLE, "secret_unavailable"),
    ],
)
def test_a_refusal_of_secrets_manager_is_classified(
    vault: Vault, code: str, kind: FailureKind, named: str
) -> None:
    """A missing secret stays missing; a throttle passes."""
    vault.fails(code)

    assert told(vault.failure(SECRET)) == (kind, named, code)


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("ParameterNotFound", FailureKind.PERMANENT, "secret_not_found"),
        ("InvalidKeyId", FailureKind.PERMANENT, "secret_not_readable"),
        ("ThrottlingException", FailureKind.RETRYABLE, "secret_unavailable"),
    ],
)
def test_a_refusal_of_parameter_store_is_classified(
    vault: Vault, code: str, kind: FailureKind, named: str
) -> None:
    """Parameter Store's refusals are classified like those of Secrets Manager."""
    vault.fails_parameter(code)

    assert told(vault.failure(PARAMETER)) == (kind, named, code)


def test_a_broken_connection_may_be_tried_again(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was sent to the target yet."""

    monkeypatch.setattr(
        vault.secrets,
        "get_secret_value",
        Mock(side_effect=EndpointConnectionError(endpoint_url="https://secrets")),
    )

    assert told(vault.failure(SECRET)) == (
        FailureKind.RETRYABLE,
        "secret_unavailable",
        "EndpointConnectionError",
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        pytest.param(" \n", None, id="blank"),
        pytest.param("hunter2", "token", id="no-json"),
        pytest.param('["hunter2"]', "token", id="no-object"),
        pytest.param('{"other": "hunter2"}', "token", id="no-such-key"),
        pytest.param('{"token": ["hunter2"]}', "token", id="no-text"),
        pytest.param('{"token": ""}', "token", id="empty"),
        pytest.param("[" * 60_000, "token", id="endless"),
    ],
)
def test_a_secret_that_cannot_be_used_is_not_shown(
    vault: Vault, text: str, key: str | None
) -> None:
    """The failure names where it is kept and what is wrong, and nothing of what it is."""
    vault.answers(text)
    failure = vault.failure(SecretRef(secret_arn=ARN, json_key=key))

    assert told(failure) == (FailureKind.PERMANENT, "secret_unusable", "SecretUnusable")
    assert ARN in failure.message
    assert "hunter2" not in failure.message


def test_a_secret_that_is_no_text_cannot_be_used(vault: Vault) -> None:
    """A header is text."""
    vault.answers_bytes()

    assert vault.failure(SECRET).code == "secret_unusable"


def test_reading_logs_nothing_of_a_secret(vault: Vault, caplog: pytest.LogCaptureFixture) -> None:
    """At the level that Timegate's functions log at, and below."""
    vault.answers("hunter2-hunter2")
    with caplog.at_level(logging.INFO):
        vault.reader.read(TENANT, SECRET)

    assert "hunter2" not in caplog.text
    assert "hunter2" not in repr(vars(vault.reader).get("_rules"))


def test_many_secrets_are_not_all_remembered(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker's memory has an end."""
    asked: list[str] = []

    def get(**request: Any) -> dict[str, Any]:  # noqa: ANN401 - as boto3 takes it
        asked.append(request["Name"])
        return {"Parameter": {"Value": "x"}}

    monkeypatch.setattr(vault.parameters, "get_parameter", get)
    for number in range(1_500):
        vault.reader.read(TENANT, SecretRef(ssm_parameter=f"{NAME}{number}"))

    assert len(vault.reader._remembered) <= 1_000
    assert len(asked) == 1_500
    assert json.dumps(asked[-1]) == f'"{NAME}1499"'
