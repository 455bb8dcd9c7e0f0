"""Codes of problems about tenants and their credentials."""

from collections.abc import Mapping
from types import MappingProxyType

from api.openapi.catalogue.advice import LOOK, READ_AGAIN, CatalogueEntry

OF_TENANTS: Mapping[str, CatalogueEntry] = MappingProxyType(
    {
        "api_key_unknown": CatalogueEntry(
            "The request came by API key, and carries none that the stage knows.",
            "Send the key whole, as `Authorization: Bearer`, to the stage that made it.",
        ),
        "api_key_ended": CatalogueEntry(
            "The API key has expired or was revoked; `detail` says which.",
            "Make another one, or have the stage's administration make it.",
        ),
        "keys_make_no_keys": CatalogueEntry(
            "The holder of an API key asks for another key, or for the end of another one.",
            "Sign in, or ask the stage's administration. A key may revoke itself.",
        ),
        "api_key_not_found": CatalogueEntry("The tenant has no such API key.", LOOK),
        "too_many_api_keys": CatalogueEntry(
            "A tenant may have 50 API keys that have not ended.", "Revoke one that is not used."
        ),
        "tenant_not_found": CatalogueEntry(
            "The stage has no record of the tenant.", "Make it: `POST /v1/tenants`."
        ),
        "tenant_exists": CatalogueEntry(
            "A tenant of this name is on record.",
            "Make another key for it, or change its settings; nothing of it was changed.",
        ),
        "region_passive": CatalogueEntry(
            "The stage has two regions, and the other one acts; or neither does for a minute.",
            "Send the request to the region that the detail names, or again in a minute.",
        ),
        "tenant_moving": CatalogueEntry(
            "The tenant moves between two stages: this one only reads.",
            "Send the request to the stage that the detail names; it is open within minutes.",
        ),
        "tenant_erased": CatalogueEntry(
            "The tenant was erased; nothing of it is left, and its name is not given again.",
            "Make a tenant of another name.",
        ),
        "tenant_suspended": CatalogueEntry(
            "The stage has suspended the tenant: it reads what it has and changes nothing.",
            "Ask the stage's operator; a resumption settles instants that came due meanwhile.",
        ),
        "tenant_changed": CatalogueEntry(
            "Another caller changed the tenant's settings at the same moment.", READ_AGAIN
        ),
        "freeze_of_stage": CatalogueEntry(
            "The stage froze the tenant when it suspended it, and alone ends that.",
            "Ask the stage's operator.",
        ),
    }
)
