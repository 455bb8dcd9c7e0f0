"""Contracts derived from types of the domain: limits and meanings stand at their fields."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import Field as ContractField
from pydantic import StringConstraints, create_model

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract
from timegate.contracts.values.secrets import SecretContract
from timegate.domain.actions.field_limits import Entries, Meaning, Number, OneOf, Seconds, Text
from timegate.domain.values.secrets import SecretRef


class KindContract(Contract):
    """A value of one kind of a union."""

    kind: ClassVar[type[Any]]

    def to_domain(self) -> Any:  # noqa: ANN401 - the kind's own type
        """Return the domain's value."""
        return self.kind(**self.as_domain())


def contract_of(
    kind: type[Any],
    name: str,
    module: str,
    base: type[KindContract] = KindContract,
    **beside: Any,  # noqa: ANN401 - as pydantic takes fields
) -> type[KindContract]:
    """Make the contract of a kind: its fields with their limits, and its docstring.

    ``beside``: fields that the kind does not have itself, and the field ``type`` if it may be left
    out.
    """
    hints = get_type_hints(kind, include_extras=True)
    made: dict[str, Any] = {
        "type": (Literal[kind.type], ...),
        **{each.name: (_contracted(hints[each.name]), _default(each)) for each in fields(kind)},
        **beside,
    }
    contract = create_model(
        f"{name}Contract", __base__=base, __module__=module, __doc__=kind.__doc__, **made
    )
    contract.kind = kind
    return contract


def _default(field: Field[Any]) -> Any:  # noqa: ANN401 - any default
    if field.default_factory is not MISSING:
        return ContractField(default_factory=field.default_factory)
    if field.default is MISSING:
        return ...
    return ContractField(default_factory=list) if field.default == () else field.default


def _contracted(hint: Any) -> Any:  # noqa: ANN401 - any hint
    """Turn a hint of the domain into one of a contract."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _limited(_contracted(parts[0]), parts[1:])
    if origin in {Union, UnionType}:
        return Union[tuple(map(_contracted, parts))]  # noqa: UP007 - made from parts
    if origin is tuple:
        return list[_contracted(parts[0])]  # type: ignore[misc]
    if origin is Mapping:
        return dict[_contracted(parts[0]), _contracted(parts[1])]  # type: ignore[misc]
    if hint is SecretRef:
        return SecretContract
    return NoneType if hint is None else getattr(hint, "__supertype__", hint)


def _limited(hint: Any, limits: tuple[object, ...]) -> Any:  # noqa: ANN401 - any hint
    for limit in limits:
        match limit:
            case OneOf(texts=texts):
                hint = Literal[texts]
            case _:
                hint = Annotated[hint, _constraint(limit)]
    return hint


def _constraint(limit: object) -> object:
    match limit:
        case Text():
            return StringConstraints(
                min_length=limit.min_length, max_length=limit.max_length, pattern=limit.pattern
            )
        case Number():
            return ContractField(ge=limit.at_least, le=limit.at_most)
        case Entries():
            return ContractField(max_length=limit.at_most)
        case Seconds():
            return Duration()
        case Meaning():
            return ContractField(description=limit.text)
    message = f"No contract has the limit {limit!r}."
    raise TypeError(message)
