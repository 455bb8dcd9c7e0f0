"""The console on AWS: a private bucket behind a distribution, with strict headers."""

import json
from collections.abc import Sequence
from pathlib import Path

from aws_cdk import Aws, Duration, RemovalPolicy
from aws_cdk import aws_certificatemanager as acm
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_cloudfront_origins as origins
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.console.headers import HSTS_SECONDS, security_headers
from infra.stage.settings import StageSettings

#: Headers with fields of their own in CloudFront's headers policies; the others are custom ones.
_OWN_FIELDS = ("Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options")


class ConsoleSite(Construct):
    """Public files; a day without visitors costs nothing."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        dist: Path,
        connect: Sequence[str],
    ) -> None:
        super().__init__(scope, construct_id)
        self.bucket = self._bucket()
        console = settings.console
        own = bool(console.domain)
        self.distribution = cloudfront.Distribution(
            self,
            "Distribution",
            comment=f"Timegate {settings.name}: the console",
            default_behavior=cloudfront.BehaviorOptions(
                origin=origins.S3BucketOrigin.with_origin_access_control(
                    self.bucket, origin_access_control=self._access(settings)
                ),
                viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
                cache_policy=cloudfront.CachePolicy.CACHING_OPTIMIZED,
                response_headers_policy=self._headers(settings, connect),
                function_associations=[
                    cloudfront.FunctionAssociation(
                        function=self._pages(settings, dist),
                        event_type=cloudfront.FunctionEventType.VIEWER_REQUEST,
                    )
                ],
                compress=True,
            ),
            default_root_object="index.html",
            http_version=cloudfront.HttpVersion.HTTP2_AND_3,
            price_class=cloudfront.PriceClass.PRICE_CLASS_100,
            domain_names=[console.domain] if own else None,
            certificate=self._certificate(console.certificate) if own else None,
            # It has no effect, and a warning, with CloudFront's own certificate.
            minimum_protocol_version=(
                cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021 if own else None
            ),
        )
        for finding, reason in _ACCEPTED.items():
            acknowledge(self.distribution, finding, reason)
        host = console.domain or self.distribution.distribution_domain_name
        self.origin = f"https://{host}"

    def _certificate(self, arn: str) -> acm.ICertificate:
        return acm.Certificate.from_certificate_arn(self, "Certificate", arn)

    def _access(self, settings: StageSettings) -> cloudfront.S3OriginAccessControl:
        """Sign CloudFront's requests to the bucket."""
        return cloudfront.S3OriginAccessControl(
            self, "Access", origin_access_control_name=_global_name(settings, "console")
        )

    def _bucket(self) -> s3.Bucket:
        bucket = s3.Bucket(
            self,
            "Files",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            # CloudFormation deletes no bucket with files in it, and each deployment uploads some.
            # One that is left holds nothing of a stage, and its name is never given twice.
            removal_policy=RemovalPolicy.RETAIN,
        )
        acknowledge(bucket, "S1", "It holds public files; the API logs what people do.")
        return bucket

    def _headers(
        self, settings: StageSettings, connect: Sequence[str]
    ) -> cloudfront.ResponseHeadersPolicy:
        headers = security_headers(connect)
        return cloudfront.ResponseHeadersPolicy(
            self,
            "Headers",
            response_headers_policy_name=_global_name(settings, "console"),
            security_headers_behavior=cloudfront.ResponseSecurityHeadersBehavior(
                content_security_policy=cloudfront.ResponseHeadersContentSecurityPolicy(
                    content_security_policy=headers["Content-Security-Policy"], override=True
                ),
                content_type_options=cloudfront.ResponseHeadersContentTypeOptions(override=True),
                frame_options=cloudfront.ResponseHeadersFrameOptions(
                    frame_option=cloudfront.HeadersFrameOption.DENY, override=True
                ),
                referrer_policy=cloudfront.ResponseHeadersReferrerPolicy(
                    referrer_policy=cloudfront.HeadersReferrerPolicy.NO_REFERRER, override=True
                ),
                strict_transport_security=cloudfront.ResponseHeadersStrictTransportSecurity(
                    access_control_max_age=Duration.seconds(HSTS_SECONDS),
                    include_subdomains=True,
                    override=True,
                ),
            ),
            custom_headers_behavior=cloudfront.ResponseCustomHeadersBehavior(
                custom_headers=[
                    cloudfront.ResponseCustomHeader(header=name, value=text, override=True)
                    for name, text in headers.items()
                    if name not in (*_OWN_FIELDS, "X-Frame-Options")
                ]
            ),
        )

    def _pages(self, settings: StageSettings, dist: Path) -> cloudfront.Function:
        """Answer the path of any page with the one document; a missing file stays missing."""
        names = sorted(each.name for each in dist.iterdir() if each.is_file())
        known = json.dumps(["/config.json", *(f"/{name}" for name in names)])
        code = (
            "function handler(event) {\n"
            "  var request = event.request;\n"
            f"  var files = {known};\n"
            '  if (!request.uri.startsWith("/assets/") && files.indexOf(request.uri) < 0) {\n'
            '    request.uri = "/index.html";\n'
            "  }\n"
            "  return request;\n"
            "}\n"
        )
        return cloudfront.Function(
            self,
            "Pages",
            function_name=_global_name(settings, "console-pages"),
            code=cloudfront.FunctionCode.from_inline(code),
            runtime=cloudfront.FunctionRuntime.JS_2_0,
            comment="Paths of pages are read by the console itself.",
        )


def _global_name(settings: StageSettings, name: str) -> str:
    """Name what CloudFront has once in an account: the stage may be in two of its Regions."""
    return settings.physical_name(f"{name}-{Aws.REGION}")


_ACCEPTED = {
    "CFR1": "Tenants sit in any country; the API asks each for a token.",
    "CFR2": "It serves static files; the API behind it is throttled by itself.",
    "CFR3": "Requests for public files say nothing; requests of people are logged by the API.",
    "CFR4": "CloudFront's own certificate allows no newer policy; a domain of one's own does.",
}
