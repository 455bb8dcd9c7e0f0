"""Codes of addresses and places of targets, among those of fields."""

from collections.abc import Mapping
from types import MappingProxyType

from api.openapi.catalogue.advice import CatalogueEntry

TARGET_FIELDS: Mapping[str, CatalogueEntry] = MappingProxyType(
    {
        "invalid_url": CatalogueEntry("is no `http` or `https` URL", "Write the whole URL."),
        "address_not_allowed": CatalogueEntry(
            "leads into a machine or its network, and not to the internet",
            "Use a public address, or have the stage's operator allow the host.",
        ),
        "port_not_allowed": CatalogueEntry(
            "names a port that web hooks of this stage may not reach",
            "Use 443 or 80, or have the stage's operator allow the port.",
        ),
        "https_required": CatalogueEntry(
            "would send a secret header, a signature or a callback token in the clear",
            "Begin it with `https://`.",
        ),
        "invalid_arn": CatalogueEntry(
            "is no ARN of such a target", "[Targets](../guides/targets.md) shows each."
        ),
        "target_not_allowed": CatalogueEntry(
            "names a target that is not on the allow-list",
            "Have the stage's operator put it there.",
        ),
        "region_not_allowed": CatalogueEntry(
            "names a target or a secret in a region that jobs of this stage may not call",
            "Use one of the stage's own region, or have its operator allow the other "
            "([regions](../guides/targets.md#other-regions-and-accounts)).",
        ),
        "partition_mismatch": CatalogueEntry(
            "is in another partition of AWS than the stage, or its region is in another one",
            "Use a target of the stage's partition; no call crosses to another.",
        ),
        "account_not_reachable": CatalogueEntry(
            "is in another account, and AWS lets no other account call such a target",
            "Use one of the stage's own account, or a function or a bus that starts the other.",
        ),
        "place_mismatch": CatalogueEntry(
            "is in another account or region than its cluster",
            "Register the task definition where the cluster is.",
        ),
    }
)
