"""Statements about some items of a table, by their partitions and by the fields of writes."""

from collections.abc import Sequence

from aws_cdk import aws_iam as iam

#: Every way to change an item of a table.
_WRITES = (
    *("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"),
    *("dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate", "dynamodb:PartiQLDelete"),
)
_KEYS, _FIELDS = "dynamodb:LeadingKeys", "dynamodb:Attributes"


def allowed_in(
    tables: Sequence[str], actions: Sequence[str], *, partitions: str
) -> iam.PolicyStatement:
    """Grant these actions on those items of a table whose partition keys match a pattern."""
    return iam.PolicyStatement(
        actions=list(actions),
        resources=list(tables),
        conditions={"ForAllValues:StringLike": {_KEYS: [partitions]}},
    )


def kept_off(tables: Sequence[str], partitions: Sequence[str]) -> iam.PolicyStatement:
    """Refuse writes to those items of a table, whatever else is granted.

    Give it to no function whose transactions touch them: AWS does not say whether their other
    writes would be judged by all keys of the transaction.
    """
    return _refused(tables, {"ForAnyValue:StringLike": {_KEYS: [*partitions]}})


def kept_fields(
    tables: Sequence[str], fields: Sequence[str], *, but_in: str
) -> iam.PolicyStatement:
    """Refuse writes that name these fields, but in some partitions.

    Give it to no function whose updates share a transaction with one that names them: AWS does
    not say whether an action is judged by the fields of all its members.
    """
    named = {"ForAnyValue:StringEquals": {_FIELDS: [*fields]}}
    elsewhere = {"ForAnyValue:StringNotLike": {_KEYS: [but_in]}}
    return _refused(tables, {**named, **elsewhere})


def _refused(tables: Sequence[str], conditions: dict[str, object]) -> iam.PolicyStatement:
    return iam.PolicyStatement(
        effect=iam.Effect.DENY,
        actions=[*_WRITES],
        resources=list(tables),
        conditions=conditions,
    )
