"""The console on AWS: private files, strict headers, and an API that knows its origin."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from infra.constructs.console import console
from infra.constructs.console.described_stage import SignIn, described_stage
from infra.constructs.console.files import ConsoleNotBuilt
from infra.stage.console_choice import ConsoleError, console_choice
from tests.infra.conftest import Synthesise
from tests.infra.stage_template import StageTemplate
from timegate.domain.tenants.people import SIGN_IN_RETURNS

CERTIFICATE = "arn:aws:acm:us-east-1:111122223333:certificate/1234-abcd"
TRACES = "https://traces.example.com/{trace_id}"
OWN = {
    "issuer": "https://id.example.com",
    "audience": "timegate",
    "tenantClaim": "org",
    "consoleClient": "spa",
    "authorizeUrl": "https://id.example.com/authorize",
    "tokenUrl": "https://id.example.com/token",
    "logoutUrl": "https://id.example.com/logout",
}


@pytest.fixture(scope="module")
def built(synthesise: Synthesise, tmp_path_factory: pytest.TempPathFactory) -> Synthesise:
    """Synthesise with the files of a small console."""
    dist = tmp_path_factory.mktemp("dist")
    (dist / "assets").mkdir()
    (dist / "assets" / "index-1a.js").write_text("run()")
    (dist / "index.html").write_text("<html><head><title>Timegate</title></head></html>")
    (dist / "favicon.svg").write_text("<svg/>")

    def synth(*, assets: bool = False, **context: str) -> StageTemplate:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(console, "DIST", dist)
            return synthesise(assets=assets, console="on", **context)

    return synth


@pytest.fixture(scope="module")
def served(built: Synthesise) -> StageTemplate:
    """The default stage with a console, and with a key of its own."""
    return built(kmsKey="own")


def distribution(template: StageTemplate) -> dict[str, Any]:
    """Return CloudFront's configuration for the console."""
    (found,) = template.of_type("AWS::CloudFront::Distribution")
    configuration: dict[str, Any] = found.properties["DistributionConfig"]
    return configuration


def test_the_distribution_opens_files_with_the_key_of_the_stage(served: StageTemplate) -> None:
    """CloudFront got 403 for each file, as it reads with no role of the stage."""
    statements = served.one("Key").properties["KeyPolicy"]["Statement"]
    (opening,) = [
        each for each in statements if each["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    ]

    assert opening["Action"] == "kms:Decrypt"
    assert opening["Condition"] == {
        "ArnLike": {
            "aws:SourceArn": "arn:<AWS::Partition>:cloudfront::<AWS::AccountId>:distribution/*"
        }
    }


def test_files_are_the_distribution_s_alone(served: StageTemplate) -> None:
    """CloudFront alone reads the bucket, and signs for itself; over TLS only."""
    (bucket,) = [
        each for each in served.of_type("AWS::S3::Bucket") if each.path == "Console/Site/Files"
    ]
    (origin,) = distribution(served)["Origins"]
    (policy,) = [
        each.properties["PolicyDocument"]["Statement"]
        for each in served.of_type("AWS::S3::BucketPolicy")
        if each.path.startswith("Console/Site/Files")
    ]
    (opening,) = [each for each in policy if each["Effect"] == "Allow"]
    (access,) = served.of_type("AWS::CloudFront::OriginAccessControl")

    assert set(bucket.properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert origin["OriginAccessControlId"]
    assert access.properties["OriginAccessControlConfig"]["SigningBehavior"] == "always"
    assert opening["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    (source,) = opening["Condition"]["StringEquals"].values()
    assert source.endswith(":distribution/Console/Site/Distribution")
    assert distribution(served)["DefaultCacheBehavior"]["ViewerProtocolPolicy"] == (
        "redirect-to-https"
    )


def test_pages_run_their_own_scripts_alone(served: StageTemplate) -> None:
    """No inline script, no frame, and a browser that insists on TLS for two years."""
    (found,) = served.of_type("AWS::CloudFront::ResponseHeadersPolicy")
    said = found.properties["ResponseHeadersPolicyConfig"]
    headers = said["SecurityHeadersConfig"]
    text = headers["ContentSecurityPolicy"]["ContentSecurityPolicy"]
    directives = dict(each.split(" ", 1) for each in text.split("; "))

    assert directives["script-src"] == "'self'"
    assert directives["frame-ancestors"] == "'none'"
    assert ".auth.<AWS::Region>.amazoncognito.com" in directives["connect-src"]
    assert headers["StrictTransportSecurity"]["AccessControlMaxAgeSec"] == 63_072_000
    assert headers["FrameOptions"]["FrameOption"] == "DENY"
    assert headers["ReferrerPolicy"]["ReferrerPolicy"] == "no-referrer"
    assert "ContentTypeOptions" in headers
    custom = {each["Header"] for each in said["CustomHeadersConfig"]["Items"]}
    assert custom == {"Cross-Origin-Opener-Policy", "Permissions-Policy"}


def test_paths_of_pages_are_the_document_and_missing_files_are_missing(
    served: StageTemplate,
) -> None:
    """A function decides; errors of the bucket are shown as they are."""
    (function,) = served.of_type("AWS::CloudFront::Function")
    known = re.search(r"files = (\[.*\])", function.properties["FunctionCode"])

    assert known
    assert json.loads(known[1]) == ["/config.json", "/favicon.svg", "/index.html"]
    assert "CustomErrorResponses" not in distribution(served)


def test_assets_are_kept_for_ever_and_pages_are_asked_for_anew(served: StageTemplate) -> None:
    """A document names assets by their content; open pages go on to find theirs."""
    uploads = {
        each.path.split("/")[2]: each.properties
        for each in served.of_type("Custom::CDKBucketDeployment")
    }
    rules = {name: each["SystemMetadata"]["cache-control"] for name, each in uploads.items()}

    assert rules == {"Assets": "public, max-age=31536000, immutable", "Page": "no-cache"}
    assert uploads["Assets"]["DestinationBucketKeyPrefix"] == "assets"
    assert {each["Prune"] for each in uploads.values()} == {False}
    assert uploads["Page"]["DistributionPaths"] == ["/index.html", "/config.json"]


@pytest.mark.parametrize("kind", ["Function", "OriginAccessControl", "ResponseHeadersPolicy"])
def test_a_stage_may_have_a_console_in_two_regions(served: StageTemplate, kind: str) -> None:
    """CloudFront has a name once in an account, whichever Region asks for it."""
    (found,) = served.of_type(f"AWS::CloudFront::{kind}")
    named = {**found.properties, **found.properties.get(f"{kind}Config", {})}

    assert named["Name"].endswith("-<AWS::Region>")


def test_files_of_the_console_keep_no_stack_from_its_deletion(served: StageTemplate) -> None:
    """CloudFormation deletes no bucket with files; one that stays has no name to be given again."""
    bucket = served.one("Console/Site/Files")

    assert bucket.deletion_policy == "Retain"
    assert "BucketName" not in bucket.properties


def test_the_uploader_logs_to_a_group_that_forgets(served: StageTemplate) -> None:
    """The stage's functions do so as well; its key is that of the group.

    CDK lets the uploader make groups: one that it made again would jam the next deployment.
    """
    groups = {each.path: each.properties for each in served.of_type("AWS::Logs::LogGroup")}
    (uploader,) = [
        each.properties
        for each in served.of_type("AWS::Lambda::Function")
        if "CDKBucketDeployment" in each.path
    ]
    group = groups[uploader["LoggingConfig"]["LogGroup"]]

    assert group["RetentionInDays"] <= 90
    assert "KmsKeyId" in group
    assert "LogGroupName" not in group


def test_the_api_and_the_pool_know_the_console_s_origin(served: StageTemplate) -> None:
    """Derived: no operator repeats it in a setting."""
    (api,) = served.of_type("AWS::ApiGatewayV2::Api")
    client = served.one("Tokens/Pool/Console").properties
    origin = "https://Console/Site/Distribution.DomainName"

    assert api.properties["CorsConfiguration"]["AllowOrigins"] == [origin]
    assert client["CallbackURLs"] == [f"{origin}/signed-in", *SIGN_IN_RETURNS]
    assert served.outputs["ConsoleUrl"] == origin


def test_a_domain_of_one_s_own(built: Synthesise) -> None:
    """With its certificate; TLS 1.2 at least."""
    template = built(consoleDomain="console.example.com", consoleCertificate=CERTIFICATE)
    (api,) = template.of_type("AWS::ApiGatewayV2::Api")
    certificate = distribution(template)["ViewerCertificate"]

    assert distribution(template)["Aliases"] == ["console.example.com"]
    assert certificate["AcmCertificateArn"] == CERTIFICATE
    assert certificate["MinimumProtocolVersion"] == "TLSv1.2_2021"
    assert api.properties["CorsConfiguration"]["AllowOrigins"] == ["https://console.example.com"]


def test_an_issuer_of_one_s_own(built: Synthesise) -> None:
    """Pages may reach its endpoints; no pool is made."""
    template = built(assets=True, **OWN, traceUrl=TRACES)
    (found,) = template.of_type("AWS::CloudFront::ResponseHeadersPolicy")
    (described,) = template.assembly.rglob("config.json")

    assert "https://id.example.com" in json.dumps(found.properties)
    assert template.of_type("AWS::Cognito::UserPool") == []
    assert f'"trace_url":"{TRACES}"' in described.read_text().replace(" ", "")


def test_a_stage_serves_no_console_unless_asked(dev: StageTemplate) -> None:
    """It is a public page."""
    assert dev.of_type("AWS::CloudFront::Distribution") == []


def test_a_console_that_is_not_built_is_said_at_once(
    synthesise: Synthesise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what builds it."""
    monkeypatch.setattr(console, "DIST", tmp_path)

    with pytest.raises(ConsoleNotBuilt, match="make console"):
        synthesise(console="on", tenants="unbuilt")


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        pytest.param({"console": "yes"}, "neither on nor off", id="neither"),
        pytest.param({"consoleDomain": "a.example.com"}, "go together", id="no certificate"),
        pytest.param(
            {"consoleDomain": "a b", "consoleCertificate": CERTIFICATE}, "no name", id="no host"
        ),
        pytest.param(
            {
                "consoleDomain": "a.example.com",
                "consoleCertificate": CERTIFICATE.replace("us-east-1", "eu-west-1"),
            },
            "us-east-1",
            id="a certificate of another region",
        ),
        pytest.param(
            {"console": "on", "issuer": "https://id.example.com", "audience": "a"},
            "consoleClient, authorizeUrl, tokenUrl, logoutUrl is missing",
            id="an issuer without endpoints",
        ),
        *(
            pytest.param({"traceUrl": text}, "traceUrl: .* is no https address", id=text)
            for text in (
                "http://traces.example.com/{trace_id}",
                "https://traces.example.com/",
                "https://traces.example.com/{run_id}",
                "https://traces.example.com/{trace_id",
                "https://traces.example.com/{trace_id!r}",
                "https://traces.example.com/{trace_id}/{xray_id}",
            )
        ),
    ],
)
def test_choices_that_cannot_be_are_refused(
    synthesise: Synthesise, choices: dict[str, str], said: str
) -> None:
    """Before anything is synthesised; each says which setting it is."""
    with pytest.raises(ConsoleError, match=said):
        synthesise(**choices)


@pytest.mark.parametrize("name", ["trace_id", "xray_id"])
def test_a_stage_says_where_traces_are_seen(name: str) -> None:
    """Its console leads there; one without such a place shows the id alone."""
    place = f"https://traces.example.com/{{{name}}}?days=7"
    sign_in = SignIn.at_pool("https://id.example.com", "console")
    described = partial(described_stage, "prod", "https://api.example.com", sign_in, prefix="t")
    nothing: dict[str, str] = {}
    chosen = console_choice({"traceUrl": place}.get)

    assert described(trace_url=chosen.trace_url)["trace_url"] == place
    assert (console_choice(nothing.get).trace_url, described()["trace_url"]) == ("", "")


def test_executors_lead_people_to_the_console(
    served: StageTemplate, synthesise: Synthesise
) -> None:
    """Notifications in words have a link; without a console there is none."""
    variables = [
        found.properties["Environment"]["Variables"]
        for template in (served, synthesise())
        for found in template.of_type("AWS::Lambda::Function")
        if "QUEUE_KEY" in found.properties.get("Environment", {}).get("Variables", {})
    ]

    assert {"CONSOLE_URL" in each for each in variables} == {True, False}
    assert sum("CONSOLE_URL" in each for each in variables) == len(variables) / 2
