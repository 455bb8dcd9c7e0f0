"""The layers every function carries."""

from aws_cdk import AssetHashType
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.assets.shipped import ROOT
from infra.assets.vendor import build_vendor, vendor_hash
from infra.stage.settings import VendorPlatform

PYTHON = lambda_.Runtime.PYTHON_3_13


class RuntimeLayers(Construct):
    """Our own package, and what it depends on.

    Each stack has its own pair over the same two assets: a layer version that another stack
    imports could never be replaced.
    """

    def __init__(self, scope: Construct, construct_id: str, *, vendor: VendorPlatform) -> None:
        super().__init__(scope, construct_id)
        core = lambda_.LayerVersion(
            self,
            "Core",
            description="Timegate: domain, use cases, adapters, runtime",
            code=lambda_.Code.from_asset(
                str(ROOT / "layers" / "core"),
                # The command line, the HTTP client and workers run on people's machines only.
                exclude=[
                    "python/timegate/cli",
                    "python/timegate/client",
                    "python/timegate/worker",
                    "**/__pycache__",
                ],
            ),
            compatible_runtimes=[PYTHON],
        )
        third_party = lambda_.LayerVersion(
            self,
            "Vendor",
            description="Third-party packages, the AWS SDK among them",
            code=lambda_.Code.from_asset(
                str(build_vendor(vendor)),
                asset_hash=vendor_hash(vendor),
                asset_hash_type=AssetHashType.CUSTOM,
            ),
            compatible_runtimes=[PYTHON],
        )
        self.versions: list[lambda_.ILayerVersion] = [core, third_party]
