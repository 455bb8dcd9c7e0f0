"""Credentials of every kind that is known, none of them in use; each has ``CANARY`` in it.

Put together at run time, so that no scanner of repositories takes this file for a leak.
"""

import base64

#: Seen where it should not be, a test fails.
CANARY = "C4N4RYb1RD"
_C = CANARY * 4


def _basic() -> str:
    return base64.b64encode(f"robot:{CANARY}".encode()).decode()


def _lease(terms: str = "") -> str:
    signature = "ca4a41b14d" * 3 + "00"
    said = f"1.3.20261121T065800000Z.{signature}{terms}"
    return base64.urlsafe_b64encode(said.encode()).decode().rstrip("=")


#: Texts in which a credential stands, by the kind that callers are told.
PLANTED: dict[str, list[str]] = {
    "an AWS access key": [
        "AKIA" + "CANARYBIRDCANARY",
        "id ASIA" + "CANARYBIRDCANARY:" + (_C)[:40],
    ],
    "an AWS secret key": [f"aws_secret_access_key = {_C[:40]}", f'"SecretAccessKey": "{_C[:40]}"'],
    "a private key": [
        f"-----BEGIN RSA PRIVATE KEY-----\n{_C}\n-----END RSA PRIVATE KEY-----",
        f"-----BEGIN PRIVATE KEY-----\\n{_C}",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{_C}\n",
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n{_C}\n-----END PGP PRIVATE KEY BLOCK-----",
    ],
    "a JSON web token": [f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{_C}"],
    "a GitHub token": [f"ghp_{_C[:36]}", f"github_pat_{_C}"],
    "a GitLab token": [f"glpat-{_C[:20]}"],
    "a Slack token": [f"xoxb-1234567890-{_C}", f"xapp-1-{_C}"],
    "a Stripe key": [f"sk_live_{_C}", f"rk_test_{_C}"],
    "a signing key of web hooks": [f"whsec_{_C}", f"whsec_+/{_C}=="],
    "a SendGrid key": [f"SG.{_C[:22]}.{(_C * 2)[:43]}"],
    "an npm token": [f"npm_{_C[:36]}"],
    "a PyPI token": [f"pypi-AgE{_C * 2}"],
    "a Google API key": [f"AIza{_C[:35]}"],
    "a Google token": [f"ya29.{_C}", f"GOCSPX-{_C}"],
    "an Anthropic key": [f"sk-ant-api03-{_C}"],
    "an OpenAI key": [f"sk-proj-{_C}T3BlbkFJ{_C}"],
    "a Hugging Face token": ["hf_" + ("CanaryBird" * 4)[:34]],
    "a Shopify token": ["shpat_" + "ca4a41b14d" * 3 + "00"],
    "a DigitalOcean token": ["dop_v1_" + "ca4a41b14d" * 6 + "0000"],
    "a Vault token": [f"hvs.{_C}"],
    "a Databricks token": ["dapi" + "ca4a41b14d" * 3 + "00"],
    "a Square token": [f"sq0atp-{_C}"],
    "a Mailchimp key": ["ca4a41b14d" * 3 + "00-us12"],
    "a Telegram token": [f"123456789:AA{_C[:33]}"],
    "an age key": ["AGE-SECRET-KEY-1" + ("CANARYBIRD" * 6)[:58]],
    "a lease token of Timegate's": [
        _lease(),
        f"token={_lease('.300.acme')}",
        f'{{"lease_token": "{_lease(".86400.a.tenant|of@dots")}"}}',
    ],
    "an API key of Timegate's": [
        f"tgk_acme.00.{_C}A1b",
        f"key=tgk_auth0|5f7c.eu.49.-_{_C}9",
    ],
    "a signature of a web hook": [
        f"v1,+/{_C}A=",
        f"webhook-signature: v1,{_C}Abc= v1,{_C}a/+=",
    ],
    "an Azure storage key": [f"AccountName=a;AccountKey={_C}{_C}==;EndpointSuffix=x"],
    "a URL with a password": [
        f"postgres://robot:{CANARY}@db.example.com/orders",
        f"redis://:{CANARY}@cache",
    ],
    "a user name with a password": [f"Basic {_basic()}"],
    "a bearer token": [f"Bearer {_C}", f"curl -H 'authorization: bearer {_C}'"],
}
#: Parts of them that must not be seen.
MARKS = (
    *(CANARY, "CANARYBIRD", "CanaryBird", "ca4a41b14d", _basic(), _lease()[:40]),
    *(_lease(terms)[40:] for terms in (".300.acme", ".86400.a.tenant|of@dots")),
)

#: Texts that no rule must mistake for a credential.
HARMLESS = (
    "https://hooks.example.com/report?day=monday&page_token=abc",
    "https://me@example.com/",
    "postgres://robot:${PASSWORD}@db/orders",
    "postgres://robot:<password>@db/orders",
    "AKIA is how they begin",
    "Asia/Tokyo",
    "asked for its password: it has none",
    "Basic authentication is off",
    "Basic dGltZWdhdGU=",
    "Bearer of bad news",
    "Bearer authentication-is-required",
    "arn:aws:secretsmanager:eu-west-1:111122223333:secret:timegate-target/acme/key-AbCdEf",
    "s3://reports/2026/11/21/part-0001.parquet",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb822cd15d6c15b0f00a8",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "d41d8cd98f00b204e9800998ecf8427e",
    "6f1c2a52-0f0e-4a2b-9a53-6d1f3c1d8a70",
    "-----BEGIN CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBexample robot@example.com",
    "X-Amz-Credential=AKIA" + "CANARYBIRDCANARY%2F20261121%2Feu-west-1%2Fs3%2Faws4_request",
    "10:00:00 UTC",
    "job_01J9ZQ3V5M8Y2K4N6P7R8S9T0V",
)
