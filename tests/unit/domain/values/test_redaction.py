"""Credentials are known by their looks or their names, and go; everything else stays."""

import json

import pytest

from tests.support.values.credentials import CANARY, HARMLESS, MARKS, PLANTED
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.run_result import MAX_CHARACTERS, excerpt
from timegate.domain.values.credential_rules import CREDENTIALS
from timegate.domain.values.redaction import (
    REDACTED,
    logged_field,
    redact,
    without_credentials,
)
from timegate.domain.values.secret_names import is_secret_name

TEXTS = [text for texts in PLANTED.values() for text in texts]


def marks_in(text: str) -> list[str]:
    """Return the canaries in a text."""
    return [mark for mark in MARKS if mark in text]


def test_every_kind_has_an_example() -> None:
    """A rule without one would be believed, and not known, to find anything."""
    assert {rule.kind for rule in CREDENTIALS} == set(PLANTED)


@pytest.mark.parametrize("text", TEXTS)
def test_a_credential_goes_and_its_surroundings_stay(text: str) -> None:
    """A credential anywhere in a text is redacted; redacting twice changes nothing."""
    said = f"before {text} after"
    plain = redact(said)

    assert marks_in(plain) == []
    assert plain.startswith("before ")
    assert REDACTED in plain
    assert redact(plain) == plain


@pytest.mark.parametrize("text", TEXTS)
def test_json_stays_json(text: str) -> None:
    """Results are read by other tasks: what was an object still is one."""
    result = json.dumps({"said": f"a {text}", "rows": 5})
    plain = json.loads(without_credentials(result))

    assert plain["rows"] == 5
    assert marks_in(plain["said"]) == []


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_credential_stays(text: str) -> None:
    """Checksums, ids, references, links that expire, and words about credentials."""
    assert without_credentials(text) == text


@pytest.mark.parametrize("text", [t for t in HARMLESS if "://robot" not in t and "X-Amz" not in t])
def test_what_says_nothing_secret_is_told(text: str) -> None:
    """Also to those who read logs."""
    assert redact(text) == text


@pytest.mark.parametrize(
    "said",
    [
        f"password={CANARY}",
        f"PGPASSWORD={CANARY} psql",
        f"GET /export?api_key={CANARY}&day=1",
        f"https://x.blob.core.windows.net/c/b?sv=2026&sig={CANARY}",
        f'{{"client_secret":"{CANARY}"}}',
        f'sent {{\\"password\\": \\"{CANARY}\\"}}',
        f"Authorization: Digest {CANARY}",
        f"X-Api-Key: {CANARY}",
        f"Cookie: sid={CANARY}",
        f"https://hooks.slack.com/services/T0/B0/{CANARY}",
    ],
)
def test_a_word_in_front_gives_it_away_where_people_read(said: str) -> None:
    """In logs and errors; a result is a program's, and keeps it."""
    assert CANARY not in redact(said)
    assert CANARY in without_credentials(said)


@pytest.mark.parametrize(
    "detail",
    [
        "action.signing_secret: Either secret_arn or ssm_parameter says where it is kept.",
        "action.headers.Authorization: Every reader of the job would see it.",
        "secret_headers.X-Api-Key: Timegate sets this header itself.",
        "secret arn:aws:secretsmanager:us-east-1:111122223333:secret:timegate-target/a is empty.",
        "key: A key has 1 to 64 letters, digits, dots, dashes and underscores.",
    ],
)
def test_our_own_words_stay(detail: str) -> None:
    """Details of problems name fields, and fields are called after secrets."""
    assert redact(detail) == detail


@pytest.mark.parametrize(
    "name",
    [
        *("password", "db_password", "DB_PASSWORD", "dbPassword", "passwd", "pwd", "pass"),
        *("secret", "client_secret", "clientSecret", "SecretAccessKey", "aws_secret_access_key"),
        *("token", "access_token", "accessToken", "x-auth-token", "X-Api-Key", "apikey", "apiKey"),
        *("Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "private_key"),
        *("credentials", "X-Hub-Secret", "passphrase", "Ocp-Apim-Subscription-Key", "APIKey"),
    ],
)
def test_names_that_say_secret(name: str) -> None:
    """In every spelling that fields, headers and variables have."""
    assert is_secret_name(name)
    assert redact({name: CANARY}) == {name: REDACTED}


@pytest.mark.parametrize(
    "name",
    [
        *("page_token", "nextToken", "continuation_token", "idempotency_token", "ClientToken"),
        *("secret_arn", "secret_name", "password_policy", "max_tokens", "token_count", "tokenize"),
        *("primary_key", "key", "object_key", "concurrency_key", "public_key", "sort-key", "keys"),
        *("", "0", "monkey", "bypass", "compass", "secretary", "authorized_by", "cookies_accepted"),
        *("taskToken", "signing_secret_ref", "json_key", "ssm_parameter"),
    ],
)
def test_names_that_only_sound_like_it(name: str) -> None:
    """Marks in lists, names of secrets, and other keys."""
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    "kept",
    [
        "",
        REDACTED,
        "/timegate-target/acme/key",
        "arn:aws:secretsmanager:eu-west-1:111122223333:secret:timegate-target/acme/key-AbCdEf",
    ],
)
def test_where_a_secret_is_kept_is_no_secret(kept: str) -> None:
    """References are the way secrets are meant to be named."""
    assert redact({"password": kept}) == {"password": kept}


def test_redacting_looks_through_what_holds_texts() -> None:
    """And keeps its form: audit records and log lines are maps of maps."""
    value = {
        "headers": {"Authorization": f"Bearer {CANARY}", "X-Trace": "7"},
        "list": [f"password={CANARY}", 5, None, True],
        "pair": ("a", f"sk_live_{CANARY}"),
        "signing_secret": {"secret_arn": "arn:aws:secretsmanager:x", "json_key": "key"},
        5: b"bytes",
    }

    assert redact(value) == {
        "headers": {"Authorization": REDACTED, "X-Trace": "7"},
        "list": [f"password={REDACTED}", 5, None, True],
        "pair": ("a", REDACTED),
        "signing_secret": {"secret_arn": "arn:aws:secretsmanager:x", "json_key": "key"},
        5: b"bytes",
    }


def test_an_excerpt_is_cut_after_it_is_redacted() -> None:
    """Half of a credential would be found by no scanner."""
    text = "x" * (MAX_CHARACTERS - 8) + f" ghp_{CANARY * 4}"

    assert marks_in(excerpt(text)) == []
    assert "ghp_" not in excerpt(text)


def test_a_failure_never_quotes_a_credential() -> None:
    """From each maker of errors, and with each answer of a target."""
    failure = Failure(
        kind=FailureKind.PERMANENT,
        code="http_400",
        type="HttpStatus",
        message=f"The target answered 400: bad token sk_live_{CANARY}",
    )

    assert failure.message == f"The target answered 400: bad token {REDACTED}"


@pytest.mark.parametrize(("characters", "looks"), [(40, 1), (41, 2)])
def test_a_short_text_is_looked_through_once(characters: int, looks: int) -> None:
    """Names of fields and states are in each request and line; longer texts are not kept."""
    text = "z" * characters
    lowered: list[str] = []

    class Watched(str):
        """A text that tells when it is looked through."""

        __slots__ = ()

        def lower(self) -> str:
            """Return it in lower case."""
            lowered.append(self)
            return str.lower(self)

    assert [redact(Watched(text)) for _ in range(2)] == [text, text]
    assert len(lowered) == looks


def test_a_repeated_credential_goes_each_time() -> None:
    """One that is short enough to be known as well."""
    assert {redact("password=abc123") for _ in range(3)} == {f"password={REDACTED}"}


@pytest.mark.parametrize(
    ("field", "logged"),
    [
        ("payload", "payload"),
        ("payload/ada@example.com/0", "payload"),
        ("payload.db.password", "payload"),
        ("jobs.3.payload_patch.data.x", "jobs.3.payload_patch"),
        ("payload_schema/properties/ada", "payload_schema"),
        ("payload_marks.timezone", "payload_marks.timezone"),
        ("action.headers.X-Data", "action.headers.X-Data"),
        ("2.data.a\nb", "2.data"),
    ],
)
def test_a_field_is_logged_without_names_in_a_payload(field: str, logged: str) -> None:
    """Callers make these names up; those of the API's own fields stay."""
    assert logged_field(field) == logged
