"""Codes of payloads and checkpoints: their size, and marks in them."""

from collections.abc import Mapping
from types import MappingProxyType

from api.openapi.catalogue.advice import CatalogueEntry

PAYLOAD_FIELDS: Mapping[str, CatalogueEntry] = MappingProxyType(
    {
        "unknown_mark": CatalogueEntry(
            "has a mark that is not [a known one](../guides/targets.md#marks-in-payloads)",
            "Correct its name; `detail` lists the known ones. `{{{{` stands for two braces.",
        ),
        "invalid_mark": CatalogueEntry(
            "opens a mark with two braces and does not close it",
            "Close it by `}}`, or write `{{{{` for two braces.",
        ),
        "unknown_keyword": CatalogueEntry(
            "is no keyword of [schemas of payloads](../concepts/payload-schemas.md)",
            "`detail` says what stands in its place, or lists those that there are.",
        ),
        "unsupported_pattern": CatalogueEntry(
            "is a pattern with a part that [patterns do not have]"
            "(../concepts/payload-schemas.md#patterns)",
            "`detail` names the part.",
        ),
        "payload_too_large": CatalogueEntry(
            "has more than 256 KB, or than the target takes", "Send a reference to the data."
        ),
        "checkpoint_too_large": CatalogueEntry(
            "has more than 262,144 bytes of JSON", "Keep the data elsewhere, and a reference here."
        ),
    }
)
