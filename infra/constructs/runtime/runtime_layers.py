"""The layers every function carries, and the code of the functions."""

from pathlib import Path

from aws_cdk import AssetHashType
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.assets.own_code import CORE_LAYER, FUNCTIONS, build_code
from infra.assets.vendor import build_vendor
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
            code=_asset(build_code(CORE_LAYER, vendor)),
            compatible_runtimes=[PYTHON],
        )
        third_party = lambda_.LayerVersion(
            self,
            "Vendor",
            description="Third-party packages, the AWS SDK among them",
            code=_asset(build_vendor(vendor)),
            compatible_runtimes=[PYTHON],
        )
        self.versions: list[lambda_.ILayerVersion] = [core, third_party]
        self._functions = build_code(FUNCTIONS, vendor)

    def functions(self) -> lambda_.AssetCode:
        """The code of all functions, for one of them."""
        return _asset(self._functions)


def _asset(built: Path) -> lambda_.AssetCode:
    return lambda_.Code.from_asset(
        str(built),
        asset_hash=built.stem,
        asset_hash_type=AssetHashType.CUSTOM,
    )
