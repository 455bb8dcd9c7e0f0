"""Errors of Pydantic as answers have them."""

from pydantic import ValidationError

from api.http.refusals import FieldError
from timegate.contracts.values.refused_values import refusals


def field_errors(error: ValidationError, value: object = None) -> list[FieldError]:
    """Every error, as ``refusals`` names them; ``value``: the body that was read."""
    found = refusals(error, value)
    return [FieldError(field=each.field, code=each.code, detail=each.detail) for each in found]
