"""The console's files: built ones, a document that says whom it may call, and the stage."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from aws_cdk import Aws, CfnElement, Stack
from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct

from infra.acknowledge import acknowledge, acknowledge_wildcard
from infra.constructs.console.headers import ASSETS, IMMUTABLE, REVALIDATED
from infra.constructs.console.site import ConsoleSite
from infra.constructs.runtime.log_group import BoundedLogGroup
from infra.stage.settings import StageSettings

_HEAD = "<head>"


class ConsoleNotBuilt(ValueError):
    """The console has no files."""

    def __init__(self, dist: Path) -> None:
        super().__init__(
            f"console: {dist} has no index.html. Run make console, or deploy without -c console=on"
        )


def check_built(dist: Path) -> Path:
    """Return the folder; raises ``ConsoleNotBuilt``."""
    if not (dist / "index.html").exists():
        raise ConsoleNotBuilt(dist)
    return dist


class ConsoleFiles(Construct):
    """Uploads of the files, each with its cache rule."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        site: ConsoleSite,
        dist: Path,
        stage: Mapping[str, object],
        connect: Sequence[str],
    ) -> None:
        super().__init__(scope, construct_id)
        self._site = site
        # All uploads are made by one function; Lambda's own group would keep its lines for ever.
        # CDK lets that function make groups: one of a fixed name that it made anew, as the stack
        # was deleted, would jam the next deployment.
        self._logs = BoundedLogGroup(self, "Logs", name=None, settings=settings)
        assets = self._upload("Assets", [deployment.Source.asset(str(dist / "assets"))], ASSETS)
        document = deployment.Source.data("index.html", _document(dist, connect))
        described = deployment.Source.json_data("config.json", stage)
        others = deployment.Source.asset(str(dist), exclude=["assets", "index.html"])
        page = self._upload("Page", [others, document, described], "/")
        # A document names assets: they are there before it is.
        page.node.add_dependency(assets)
        handlers = [each for each in Stack.of(self).node.children if _is_uploader(each.node.id)]
        for handler in handlers:
            for finding, reason in _ACCEPTED.items():
                acknowledge(handler, finding, reason)
            acknowledge(handler, f"IAM5[Resource::<{self._bucket_id()}.Arn>/*]", _UPLOADER)
            staging = f"cdk-hnb659fds-assets-{Aws.ACCOUNT_ID}-{Aws.REGION}"
            acknowledge_wildcard(handler, f"arn:{Aws.PARTITION}:s3:::{staging}/*", _UPLOADER)

    def _bucket_id(self) -> str:
        """Return the bucket's name in the template, by which cdk-nag reports it."""
        return Stack.of(self).get_logical_id(
            cast("CfnElement", self._site.bucket.node.default_child)
        )

    def _upload(
        self, name: str, sources: Sequence[deployment.ISource], path: str
    ) -> deployment.BucketDeployment:
        immutable = path == ASSETS
        return deployment.BucketDeployment(
            self,
            name,
            sources=list(sources),
            destination_bucket=self._site.bucket,
            destination_key_prefix=path.strip("/") or None,
            cache_control=[
                deployment.CacheControl.from_string(IMMUTABLE if immutable else REVALIDATED)
            ],
            # Pages that are open go on to load the assets of their version.
            prune=False,
            memory_limit=256,
            log_group=self._logs,
            distribution=None if immutable else self._site.distribution,
            distribution_paths=None if immutable else ["/index.html", "/config.json"],
        )


def _document(dist: Path, connect: Sequence[str]) -> str:
    """Return the document, which narrows its own policy: it calls this API and this issuer alone.

    The header cannot name the API: the API allows the distribution, so it exists after it.
    """
    html = (dist / "index.html").read_text()
    policy = f"connect-src 'self' {' '.join(connect)}"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
    return html.replace(_HEAD, f"{_HEAD}\n    {meta}", 1)


def _is_uploader(construct_id: str) -> bool:
    return construct_id.startswith("Custom::CDKBucketDeployment")


_ACTIONS = ("Abort", "DeleteObject", "GetBucket", "GetObject", "List")
_UPLOADER = "CDK's uploader copies files from the assets' bucket into the console's, and no other."
_ACCEPTED = {
    "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]": (
        "CDK's uploader runs while a stage is deployed, and at no other time."
    ),
    "L1": "CDK chooses the runtime of its uploader.",
    # CloudFront has no rights on single distributions' invalidations that CDK's uploader uses.
    "IAM5[Resource::*]": "CDK's uploader invalidates the distribution, and waits for that.",
    **{f"IAM5[Action::s3:{action}*]": _UPLOADER for action in _ACTIONS},
}
