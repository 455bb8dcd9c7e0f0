"""The console of a stage: its files, behind a distribution, told of API and issuer."""

from functools import partial
from urllib.parse import urlsplit

from aws_cdk import Aws, CfnOutput
from constructs import Construct

from infra.assets.shipped import ROOT
from infra.constructs.console.described_stage import SignIn, described_stage
from infra.constructs.console.files import ConsoleFiles, check_built
from infra.constructs.console.site import ConsoleSite
from infra.stage.settings import StageSettings

#: Files of the console, once ``make console`` has built them.
DIST = ROOT / "console" / "dist"


class Console(Construct):
    """Made before the API, which allows its origin; completed once the API is there."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, sign_in_url: str
    ) -> None:
        super().__init__(scope, construct_id)
        self._settings = settings
        self._dist = check_built(DIST)
        self._sign_in_url = sign_in_url
        # The API has no name yet; the document's own policy names it.
        apis = f"https://*.execute-api.{Aws.REGION}.{Aws.URL_SUFFIX}"
        self._site = ConsoleSite(
            self,
            "Site",
            settings=settings,
            dist=self._dist,
            connect=(apis, self._issuer_origin()),
        )
        self.origin = self._site.origin

    def complete(self, *, api_url: str, client_id: str) -> None:
        """Upload the files, for this API and this client."""
        settings, endpoints = self._settings, self._settings.console.endpoints
        if endpoints is None:
            sign_in = SignIn.at_pool(self._sign_in_url, client_id)
        else:
            sign_in = SignIn(
                authorize_url=endpoints.authorize_url,
                token_url=endpoints.token_url,
                logout_url=endpoints.logout_url,
                client_id=client_id,
            )
        described = partial(
            described_stage, prefix=settings.scope_prefix, trace_url=settings.console.trace_url
        )
        # A stage's URL ends with a slash; paths of the API begin with one.
        api = f"https://{api_url}"
        ConsoleFiles(
            self,
            "Files",
            settings=settings,
            site=self._site,
            dist=self._dist,
            stage=described(settings.name, api, sign_in),
            connect=(api, self._issuer_origin()),
        )
        CfnOutput(self, "Url", value=self.origin).override_logical_id("ConsoleUrl")

    def _issuer_origin(self) -> str:
        endpoints = self._settings.console.endpoints
        if endpoints is None:
            return self._sign_in_url
        parts = urlsplit(endpoints.token_url)
        return f"{parts.scheme}://{parts.netloc}"
