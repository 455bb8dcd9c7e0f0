"""Records of the deployed stack that are made older than they are: no test waits for a minute."""

from datetime import UTC, datetime, timedelta

from tests.support.deployed.stack import Stack
from timegate.adapters.dynamo.tables.keys import Key
from timegate.domain.values.instants import compact


def shift(stack: Stack, table: str, key: Key, **ago: timedelta) -> None:
    """Put instants of an item so far into the past."""
    now = datetime.now(UTC)
    stack.aws("dynamodb").update_item(
        TableName=stack.outputs[table],
        Key={"pk": {"S": key.pk}, "sk": {"S": key.sk}},
        UpdateExpression="SET " + ", ".join(f"{name} = :{name}" for name in ago),
        ConditionExpression=" AND ".join(f"attribute_exists({name})" for name in ago),
        ExpressionAttributeValues={
            f":{name}": {"S": compact(now - span)} for name, span in ago.items()
        },
    )
