"""Offers as parts of items."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.actions.pool import Offer

Fields = Mapping[str, Plain]

_OFFER = Part(Offer)


def offer_to_fields(offer: Offer | None) -> dict[str, Plain]:
    """Beside the action, which the planner does not see."""
    return {} if offer is None else _OFFER.fields(offer)


def offer_from_fields(fields: Fields) -> Offer | None:
    """Read an offer back."""
    return _OFFER.read(fields) if "pool" in fields else None
