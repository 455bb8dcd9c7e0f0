"""Between Python values and DynamoDB's typed ones: text, numbers and sets of them, maps."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

Plain: TypeAlias = (
    "str | bool | int | float | Decimal | Mapping[str, Plain] | Sequence[Plain]"
    " | frozenset[int] | None"
)
Item: TypeAlias = dict[str, "AttributeValueTypeDef"]


#: Numbers that DynamoDB keeps are from the first to below the second, or zero:
#: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
_SMALLEST, _TOO_LARGE = 1e-130, 1e126


def to_attribute(value: Plain) -> "AttributeValueTypeDef":
    """The typed form of a value; raises ``TypeError`` for a number that no item holds."""
    match value:
        case str():
            # Most are text.
            return {"S": value}
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case float():
            # ``repr`` keeps a float's digits; DynamoDB stores decimals, not binary fractions.
            return {"N": repr(_kept(value))}
        case int() | Decimal():
            return {"N": str(value)}
        case _:
            return _to_container(value)


def _kept(number: float) -> float:
    """Return a number as an item holds it: one that is next to nothing is nothing.

    DynamoDB refuses the whole write otherwise, and callers write numbers as they like. Raises
    ``TypeError`` for one that is too large, or none.
    """
    size = abs(number)
    if size < _SMALLEST:
        return 0.0
    if size < _TOO_LARGE:
        return number
    message = f"DynamoDB stores no {number}."
    raise TypeError(message)


def _to_container(
    value: "Mapping[str, Plain] | Sequence[Plain] | frozenset[int]",
) -> "AttributeValueTypeDef":
    match value:
        case frozenset():
            return {"NS": [str(number) for number in sorted(value)]}
        case Mapping():
            return {"M": {name: to_attribute(inner) for name, inner in value.items()}}
        case Sequence():
            return {"L": [to_attribute(inner) for inner in value]}


def from_attribute(attribute: "AttributeValueTypeDef") -> Plain:
    """The plain form of a typed value."""
    ((kind, value),) = attribute.items()
    # Most are text.
    return value if kind == "S" else _from_other(kind, value)  # type: ignore[return-value]


def _from_other(kind: str, value: Any) -> Plain:  # noqa: ANN401 - its kind says what it is
    match kind:
        case "NULL":
            return None
        case "N":
            return _number(str(value))
        case "NS":
            # A later release may have a set of other numbers.
            return frozenset(_number(text) for text in value)  # type: ignore[misc]
        case "M":
            return {name: from_attribute(inner) for name, inner in value.items()}
        case "L":
            return [from_attribute(inner) for inner in value]
    return value  # type: ignore[no-any-return]


def _number(text: str) -> int | float:
    return int(text) if text.lstrip("-").isdigit() else float(text)


def to_item(fields: Mapping[str, Plain]) -> Item:
    """An item; fields that are ``None`` are left out."""
    return {name: to_attribute(value) for name, value in fields.items() if value is not None}


def from_item(item: Mapping[str, "AttributeValueTypeDef"]) -> dict[str, Plain]:
    """The plain fields of an item."""
    return {name: from_attribute(attribute) for name, attribute in item.items()}


def stored(fields: Mapping[str, Plain]) -> dict[str, Plain]:
    """Return the fields of an item as they are read back once stored."""
    return {name: stored_value(value) for name, value in fields.items() if value is not None}


def stored_value(value: Plain) -> Plain:
    """Return a value as it is read back; raises ``TypeError`` for one that no item holds."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {name: stored_value(inner) for name, inner in value.items()}
    if isinstance(value, frozenset):
        if not value:
            message = "DynamoDB stores no empty set."
            raise TypeError(message)
        return value
    if isinstance(value, Sequence):
        return [stored_value(inner) for inner in value]
    return from_attribute(to_attribute(value))


def size_of(value: Plain) -> int:
    """Return the bytes that DynamoDB counts for a value, or for an item as a map of its fields."""
    match value:
        case str():
            return len(value.encode())
        case None | bool():
            return 1
        case Mapping():
            inner = sum(len(name) + size_of(each) for name, each in value.items())
            return inner + 3 + len(value)
        case frozenset():
            return 3 + sum(size_of(each) for each in value)
        case Sequence():
            return 3 + sum(1 + size_of(each) for each in value)
        case _:
            # Two digits to a byte, and one for the sign and the exponent.
            return len(str(value)) // 2 + 2
