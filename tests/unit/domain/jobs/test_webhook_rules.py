"""A job carries only a web hook that can be called safely."""

from urllib.parse import urlsplit

import pytest

from tests.support.factories import OTHER_TENANT, TENANT
from timegate.domain.actions.kinds.webhook import RESERVED_HEADERS, SECRET_HEADERS, WebhookAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import MAX_URL_LENGTH
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId

ANY = (range(1, 65_536),)
PREFIX = "https://hooks.example.com/"


def refusal(action: WebhookAction, rules: TargetRules | None = None) -> tuple[str, str] | None:
    """The refused field and the code; nothing when the action is accepted."""
    try:
        action.check(rules or TargetRules(), TENANT)
    except InvalidInput as refused:
        return refused.field.removeprefix("action."), refused.code
    return None


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/report",
        "https://[2606:4700:4700::1111]:443/x",
        "https://93.184.215.14/",
        "HTTPS://HOOKS.EXAMPLE.COM/",
        "https://a_b.example.com/?q=1#f",
        "https://example.com:80/",
        PREFIX + "x" * (MAX_URL_LENGTH - len(PREFIX)),
    ],
    ids=lambda url: url[:40],
)
def test_a_url_is_accepted(url: str) -> None:
    """The name is resolved and checked at each call."""
    assert refusal(WebhookAction(url=url)) is None


@pytest.mark.parametrize(
    "url",
    [
        *("", "hooks.example.com", "ftp://example.com/", "file:///etc/passwd", "javascript:x"),
        *("https://", "https:///x", "https://.example.com/", "https://a..b/", "https://-a.com/"),
        *("https://a-.com/", f"https://{'x' * 64}.com/", "https://exa mple.com/", "https://a\n/"),
        *("https://münchen.de/", "https://a/\t", "https://a/\x00", "https://[::1/", "https://[x]/"),
        *("https://a:0/", "https://a:65536/", "https://a:x/", "https://a%2eb/"),
        PREFIX + "x" * (MAX_URL_LENGTH + 1 - len(PREFIX)),
    ],
    ids=lambda url: repr(url)[:40],
)
def test_a_url_that_could_never_be_called_is_refused(url: str) -> None:
    """At creation, not at the first fire."""
    assert refusal(WebhookAction(url=url)) == ("url", "invalid_url")


@pytest.mark.parametrize(
    "url",
    [
        *("http://localhost:8080/", "http://LOCALHOST/", "https://127.0.0.1/", "http://0x7f.1/"),
        *("http://2130706433/", "http://[::1]/", "http://[::ffff:169.254.169.254]/latest"),
        *("http://169.254.169.254/latest/meta-data", "http://metadata.google.internal/"),
        *("http://[64:ff9b::10.0.0.1]/", "https://192.0.2.1/", "https://[2001:db8::1]/"),
    ],
)
def test_a_url_that_leads_inside_is_refused(url: str) -> None:
    """At creation as well; on a stage that lets it be reached it is accepted."""
    host = urlsplit(url).hostname or ""

    assert refusal(WebhookAction(url=url)) == ("url", "address_not_allowed")
    rules = TargetRules(private_hosts=(host,), allowed_ports=ANY)
    assert refusal(WebhookAction(url=url), rules) is None


@pytest.mark.parametrize(
    "url",
    [
        *("https://hooks.example.com./", "http://localhost./", "http://127.0.0.1./"),
        *("http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/"),
        *("http://1.2.3.4.5/", "http://256.1.1.1/", "http://xn--localhost-/"),
        *("http://example.com%2f@127.0.0.1", "http://example.com\\@127.0.0.1/"),
    ],
)
def test_a_url_whose_host_can_be_read_in_two_ways_is_refused(url: str) -> None:
    """The check and the connection must not read different hosts."""
    refused = refusal(WebhookAction(url=url))

    assert refused is not None
    assert refused[1] in {"invalid_url", "plaintext_secret", "address_not_allowed"}


@pytest.mark.parametrize("user", ["me@", "me:secret@", ":@", "@"], ids=str)
def test_a_url_carries_no_credentials(user: str) -> None:
    """Every reader of the job would read them."""
    assert refusal(WebhookAction(url=f"https://{user}example.com/")) == ("url", "plaintext_secret")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("X-Team", "billing", None),
        ("X-Empty", "", None),
        ("X-Tab", "a\tb", None),
        ("!#$%&'*+-.^_`|~09aZ", "every character a name may have", None),
        ("", "x", ("headers", "invalid_header")),
        ("X Team", "x", ("headers", "invalid_header")),
        ("X-Team:", "x", ("headers", "invalid_header")),
        ("X-Team\r\nHost", "x", ("headers", "invalid_header")),
        ("X-Ü", "x", ("headers", "invalid_header")),
        ("X-Team", "a\r\nHost: evil", ("headers.X-Team", "invalid_header")),
        ("X-Team", "a\nb", ("headers.X-Team", "invalid_header")),
        ("X-Team", "ü", ("headers.X-Team", "invalid_header")),
        ("X-Team", "\x7f", ("headers.X-Team", "invalid_header")),
        ("Timegate-Run", "x", ("headers.Timegate-Run", "reserved_header")),
        ("timegate-anything", "x", ("headers.timegate-anything", "reserved_header")),
        ("Timegate", "x", None),
        ("webhook-id", "x", ("headers.webhook-id", "reserved_header")),
        ("webhook-anything", "x", ("headers.webhook-anything", "reserved_header")),
        ("Webhook", "x", None),
        ("tracestate", "vendor=1", None),
    ],
    ids=repr,
)
def test_a_header_is_a_name_and_printable_text(
    name: str, value: str, expected: tuple[str, str] | None
) -> None:
    """No line break begins a header of its own."""
    assert expected == refusal(WebhookAction(url=PREFIX, headers={name: value}))


@pytest.mark.parametrize("name", sorted(RESERVED_HEADERS), ids=str)
def test_headers_of_the_connection_are_not_the_jobs(name: str) -> None:
    """In whatever case they are written."""
    action = WebhookAction(url=PREFIX, headers={name.title(): "x"})

    assert refusal(action) == (f"headers.{name.title()}", "reserved_header")


@pytest.mark.parametrize("name", sorted(SECRET_HEADERS), ids=str)
def test_headers_that_carry_credentials_are_refused(name: str) -> None:
    """They do not belong into a definition."""
    action = WebhookAction(url=PREFIX, headers={name.upper(): "x"})

    assert refusal(action) == (f"headers.{name.upper()}", "plaintext_secret")


def test_a_header_is_given_once() -> None:
    """Names that differ by case alone are one name."""
    twice = WebhookAction(url=PREFIX, headers={"X-Team": "a", "x-team": "b"})

    assert refusal(twice) == ("headers.x-team", "duplicate_header")


PLACE = "eu-central-1:123456789012"
SECRETS = TargetRules(
    allowed_secrets=(
        f"arn:aws:secretsmanager:{PLACE}:secret:timegate-target/{{tenant}}/*",
        f"arn:aws:ssm:{PLACE}:parameter/timegate-target/{{tenant}}/*",
    )
)
SECRET = f"arn:aws:secretsmanager:{PLACE}:secret:timegate-target/acme/crm-a1B2c3"
PARAMETER = "/timegate-target/acme/crm"


def sent_with(ref: SecretRef, name: str = "Authorization") -> WebhookAction:
    """A web hook with a secret in a header."""
    return WebhookAction(url=PREFIX, secret_headers={name: ref})


@pytest.mark.parametrize(
    ("ref", "field", "code"),
    [
        pytest.param(SecretRef(secret_arn=SECRET), "", None, id="secret"),
        pytest.param(SecretRef(secret_arn=SECRET, json_key="k"), "", None, id="one-of-a-secret"),
        pytest.param(SecretRef(ssm_parameter=PARAMETER), "", None, id="parameter"),
        pytest.param(SecretRef(), "", "required", id="none"),
        pytest.param(
            SecretRef(secret_arn=SECRET, ssm_parameter=PARAMETER), "", "required", id="both"
        ),
        pytest.param(SecretRef(secret_arn="crm"), ".secret_arn", "invalid_arn", id="a-name"),
        pytest.param(
            SecretRef(secret_arn=f"{SECRET}\n"), ".secret_arn", "invalid_arn", id="line-break"
        ),
        pytest.param(
            SecretRef(ssm_parameter=PARAMETER[1:]),
            *(".ssm_parameter", "invalid_format"),
            id="no-slash",
        ),
        pytest.param(
            SecretRef(ssm_parameter=f"{PARAMETER}/"),
            *(".ssm_parameter", "invalid_format"),
            id="a-path",
        ),
        pytest.param(
            SecretRef(ssm_parameter="/timegate-target/acme" + "/x" * 14),
            *(".ssm_parameter", "invalid_format"),
            id="too-many-levels",
        ),
        pytest.param(
            SecretRef(secret_arn=SECRET.replace("acme", "globex")),
            *("", "secret_not_allowed"),
            id="another-tenants-secret",
        ),
        pytest.param(
            SecretRef(ssm_parameter=PARAMETER.replace("acme", "globex")),
            *("", "secret_not_allowed"),
            id="another-tenants-parameter",
        ),
        pytest.param(
            SecretRef(secret_arn=SECRET.replace("acme", "acme-2")),
            *("", "secret_not_allowed"),
            id="a-tenant-named-alike",
        ),
        pytest.param(
            SecretRef(ssm_parameter="/timegate-target/acme-2/crm"),
            *("", "secret_not_allowed"),
            id="a-parameter-of-a-tenant-named-alike",
        ),
        pytest.param(
            SecretRef(ssm_parameter="/aws/reference/secretsmanager/payroll"),
            *("", "secret_not_allowed"),
            id="a-secret-by-way-of-a-parameter",
        ),
        pytest.param(
            SecretRef(secret_arn=SECRET.replace("123456789012", "999999999999")),
            *("", "secret_not_allowed"),
            id="another-account",
        ),
        pytest.param(
            SecretRef(secret_arn=SECRET.replace("timegate-target", "payroll")),
            *("", "secret_not_allowed"),
            id="not-for-jobs",
        ),
    ],
)
def test_a_secret_is_named_and_the_tenants_own(
    ref: SecretRef, field: str, code: str | None
) -> None:
    """A job that could name another tenant's secret would send it to whom it likes."""
    in_header = (f"secret_headers.Authorization{field}", code) if code else None
    signing = (f"signing_secret{field}", code) if code else None

    assert in_header == refusal(sent_with(ref), SECRETS)
    assert signing == refusal(WebhookAction(url=PREFIX, signing_secret=ref), SECRETS)


def test_a_stage_without_a_list_of_secrets_has_none() -> None:
    """Everything not named is refused."""
    assert refusal(sent_with(SecretRef(secret_arn=SECRET))) == (
        "secret_headers.Authorization",
        "secret_not_allowed",
    )


@pytest.mark.parametrize("tenant", [TENANT, OTHER_TENANT])
def test_a_pattern_may_be_for_all_tenants(tenant: TenantId) -> None:
    """An operator with one tenant needs no folder for it."""
    rules = TargetRules(allowed_secrets=("arn:aws:ssm:*:*:parameter/hooks/*",))

    assert rules.allows_secret(tenant, SecretRef(ssm_parameter="/hooks/crm"))
    assert not rules.allows_secret(tenant, SecretRef(ssm_parameter="/hook"))


@pytest.mark.parametrize(
    ("name", "field", "code"),
    [
        ("X-Api-Key", "", None),
        ("Cookie", "", None),
        ("Host", ".Host", "reserved_header"),
        ("Timegate-Fence", ".Timegate-Fence", "reserved_header"),
        ("Webhook-Signature", ".Webhook-Signature", "reserved_header"),
        ("bad name", "", "invalid_header"),
        ("x-team", ".x-team", "duplicate_header"),
    ],
)
def test_a_secret_header_is_a_header(name: str, field: str, code: str | None) -> None:
    """And none that is given in plain text as well."""
    action = WebhookAction(
        url=PREFIX,
        headers={"X-Team": "ops"},
        secret_headers={name: SecretRef(ssm_parameter=PARAMETER)},
    )
    expected = (f"secret_headers{field}", code) if code else None

    assert expected == refusal(action, SECRETS)


def test_a_status_is_given_once() -> None:
    """Twice is a mistake."""
    assert refusal(WebhookAction(url=PREFIX, success_statuses=(200, 404))) is None
    assert refusal(WebhookAction(url=PREFIX, success_statuses=(200, 404, 200))) == (
        "success_statuses",
        "repeated",
    )
