"""A web hook connects to the address that was checked, under the name in its URL (S5)."""

import socket
import ssl
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.support.factories import NOW, after
from tests.unit.adapters.targets.calls import call_factory, told
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, local_target, reply
from tests.unit.adapters.targets.web_hooks.web_senders import knowing, sender
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.domain.actions.kinds.webhook import Wait, WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import ReportTerms
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.values.secrets import SecretRef
from timegate.ports.call_runner import TargetFailed

NAME = "hooks.timegate.test"


class Names:
    """A resolver that knows one name, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._real = socket.getaddrinfo

    def resolve(self, host: str, *args: int, **kwargs: int) -> object:
        self.asked.append(host)
        return self._real("127.0.0.1" if host == NAME else host, *args, **kwargs)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    names = Names()
    monkeypatch.setattr(socket, "getaddrinfo", names.resolve)
    return names


def test_a_name_is_resolved_once(names: Names) -> None:
    """A second look-up could be answered differently (DNS rebinding); the address is pinned."""
    with local_target() as target, sender(NAME) as webhook:
        webhook.invoke(call_factory(), WebhookAction(url=target.url(host=NAME)))

    assert names.asked == [NAME]
    assert target.requests[0].headers["Host"] == f"{NAME}:{target.port}"


class Rebinding:
    """A resolver whose owner answers the check with one address, and later callers with another.

    Addresses resolve to themselves, as with any resolver.
    """

    def __init__(self, *answers: str) -> None:
        self.asked = 0
        self._answers = answers

    def resolve(self, host: str, port: int, *_: int, **__: int) -> object:
        answer = host
        if host == NAME:
            answer = self._answers[min(self.asked, len(self._answers) - 1)]
            self.asked += 1
        family = socket.AF_INET6 if ":" in answer else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (answer, port))]


class Dialled:
    """Keeps to whom connections were made, and makes none."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    def dial(self, address: str, *_: object) -> None:
        self.addresses.append(address)
        raise OSError("no network here")


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> Dialled:
    dialled = Dialled()
    monkeypatch.setattr("timegate.adapters.targets.http.connecting.dial", dialled.dial)
    return dialled


PUBLIC, PRIVATE = "93.184.215.14", "169.254.169.254"


@pytest.mark.parametrize("later", [PRIVATE, "127.0.0.1", "::1", "fe80::1%eth0"])
def test_a_name_that_is_bound_anew_after_the_check_gains_nothing(
    monkeypatch: pytest.MonkeyPatch, dialled: Dialled, later: str
) -> None:
    """The connection is made to the address that was checked, whatever the name says by then."""
    resolver = Rebinding(PUBLIC, later)
    monkeypatch.setattr(socket, "getaddrinfo", resolver.resolve)
    with sender() as webhook, pytest.raises(TargetFailed):
        webhook.invoke(call_factory(), WebhookAction(url=f"http://{NAME}/"))

    assert dialled.addresses == [PUBLIC]
    assert resolver.asked == 1


@pytest.mark.parametrize("now", [PRIVATE, "::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe"])
def test_a_name_that_is_bound_anew_between_calls_is_refused(
    monkeypatch: pytest.MonkeyPatch, dialled: Dialled, now: str
) -> None:
    """Each call looks again: what was public an hour ago may be private now."""
    monkeypatch.setattr(socket, "getaddrinfo", Rebinding(PUBLIC, now).resolve)
    action = WebhookAction(url=f"http://{NAME}/")
    with sender() as webhook:
        with pytest.raises(TargetFailed) as first:
            webhook.invoke(call_factory(), action)
        with pytest.raises(TargetFailed) as second:
            webhook.invoke(call_factory(), action)

    assert first.value.failure.code == "connection_failed"
    assert second.value.failure.code == "address_not_allowed"
    assert dialled.addresses == [PUBLIC]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]"])
def test_a_private_address_is_never_connected_to(host: str) -> None:
    """However it is written, and whether something listens there or not."""
    with local_target() as target, sender() as webhook:
        with pytest.raises(TargetFailed) as caught:
            webhook.invoke(call_factory(), WebhookAction(url=target.url(host=host)))
        connections = list(target.connections)

    assert connections == []
    assert told(caught.value.failure) == (
        FailureKind.PERMANENT,
        "address_not_allowed",
        "NotAllowed",
    )


def test_a_redirect_to_a_private_address_leads_nowhere(names: Names) -> None:
    """The address check is passed by a public name, and cannot be undone by its answer."""
    with local_target() as target, local_target() as inside, sender(NAME) as webhook:
        target.script = reply(302, Location=inside.url())
        with pytest.raises(TargetFailed):
            webhook.invoke(call_factory(), WebhookAction(url=target.url(host=NAME)))
        reached = list(inside.connections)

    assert reached == []


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's certificate for ``NAME`` alone, trusted like that of any public authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(NOW - timedelta(days=3650))
        .not_valid_after(NOW + timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pem = tmp_path / "server.pem"
    pem.write_bytes(plain + certificate.public_bytes(Encoding.PEM))
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    return context


def secure_url(target: LocalTarget, host: str) -> str:
    return target.url(host=host, scheme="https")


def test_a_certificate_is_held_against_the_name(names: Names, trusted: ssl.SSLContext) -> None:
    """The connection goes to an address, and is still to whom the URL names."""
    with local_target(trusted) as target, sender(NAME) as webhook:
        answer = webhook.invoke(call_factory(), WebhookAction(url=secure_url(target, NAME)))

    assert answer.text == "ok"


def test_a_certificate_of_another_name_is_refused(trusted: ssl.SSLContext) -> None:
    """The server at the address cannot prove to be the target: nothing is sent."""
    with local_target(trusted) as target, sender("127.0.0.1") as webhook:
        action = WebhookAction(url=secure_url(target, "127.0.0.1"))
        with pytest.raises(TargetFailed) as caught:
            webhook.invoke(call_factory(deadline_at=after(5)), action)
        requests = list(target.requests)

    assert requests == []
    assert told(caught.value.failure) == (
        FailureKind.RETRYABLE,
        "tls_failed",
        "CertificateRefused",
    )


@pytest.mark.parametrize("port", [79, 444, 6379])
def test_a_port_that_is_not_listed_by_now_is_never_connected_to(
    dialled: Dialled, port: int
) -> None:
    """A stage may have shortened its list since the job was created."""
    webhook = WebhookTarget(MemoryClock(NOW), knowing(), TargetRules())
    with pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(), WebhookAction(url=f"https://{PUBLIC}:{port}/"))

    assert dialled.addresses == []
    assert told(caught.value.failure) == (FailureKind.PERMANENT, "port_not_allowed", "NotAllowed")


CRM = SecretRef(ssm_parameter="/crm")
CALLBACK = ReportTerms(token="t0ken", silence_seconds=300, deadline_at=after(3600))


@pytest.mark.parametrize(
    ("fields", "callback"),
    [
        ({"secret_headers": {"X-Crm": CRM}}, None),
        ({"signing_secret": CRM}, None),
        ({"wait": Wait.CALLBACK}, CALLBACK),
    ],
    ids=["secret header", "signature", "callback token"],
)
def test_credentials_are_never_sent_in_the_clear(
    dialled: Dialled, fields: dict[str, Any], callback: ReportTerms | None
) -> None:
    """Jobs that were created before this was refused fail at their next call."""
    webhook = WebhookTarget(MemoryClock(NOW), knowing(crm="x" * 32), TargetRules())
    action = WebhookAction(url=f"http://{PUBLIC}/", **fields)
    with pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(callback=callback), action)

    assert dialled.addresses == []
    assert told(caught.value.failure) == (FailureKind.PERMANENT, "https_required", "NotAllowed")


def test_a_refusal_names_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller learns nothing of the names in a private network."""
    monkeypatch.setattr(socket, "getaddrinfo", Rebinding("10.11.12.13").resolve)
    with sender() as webhook, pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(), WebhookAction(url=f"https://{NAME}/"))

    assert caught.value.failure.code == "address_not_allowed"
    assert NAME in caught.value.failure.message
    assert "10.11.12.13" not in caught.value.failure.message
