"""moto inside this process: a second emulator of AWS, behind real clients.

Each client sends its requests to moto by a hook of its own; nothing global is patched, and no
request leaves the process.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.config import Config
from moto.backends import get_backend
from moto.core.botocore_stubber import BotocoreStubber, MockRawResponse
from moto.core.config import default_user_config
from moto.core.model_instances import model_data
from moto.dynamodb.exceptions import ConditionalCheckFailed
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import Table

from tests.support.services.request_limits import enforce

#: The client of a service, by its name.
Aws = Callable[[str], Any]

REGION = "us-east-1"
#: The account of everything in moto.
ACCOUNT = "123456789012"
#: moto's tables are not made for several threads: it serves one request at a time.
_TURN = Lock()
_STATEMENT = re.compile(r'UPDATE "(?P<table>[^"]+)" (?P<changes>.+) WHERE (?P<conditions>.+)')
_INSERTION = re.compile(r'INSERT INTO "(?P<table>[^"]+)" VALUE \{(?P<item>.+)\}')
_FIELD = re.compile(r"'([^']+)': \?")
_SET = re.compile(r'SET ("[^"]+") = \?')
_REMOVE = re.compile(r'REMOVE ("[^"]+")')
_CONDITION = re.compile(r'("?[^" ]+"?) (= \?|IS MISSING)')


def client_of(service: str, **options: Any) -> Any:  # noqa: ANN401 - whichever client it is
    """Make a client whose requests moto answers; ``options`` of its ``Config``."""
    _prepare()
    client: Any = boto3.client(
        service,  # type: ignore[call-overload]
        region_name=REGION,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, **options),
    )
    enforce(client)
    client.meta.events.register("before-send", _answer)
    return client


def forget_tables() -> None:
    """Drop all tables, and what moto keeps of their items and changes beside them.

    It keeps every value that was ever written: three gigabytes for the contract of the stores.
    """
    with _TURN:
        backend: Any = get_backend("dynamodb")[ACCOUNT][REGION]
        backend.reset()
        for model in model_data["dynamodb"].values():
            kept: Any = model
            kept.instances_tracked = []


def arn_of(service: str, name: str) -> str:
    """Name a resource of moto's account."""
    return f"arn:aws:{service}:{REGION}:{ACCOUNT}:{name}"


def _answer(request: AWSPreparedRequest, **_: object) -> AWSResponse:
    with _TURN:
        answered = BotocoreStubber().process_request(request)
    assert answered is not None, f"moto does not know {request.url}."
    status, headers, body = answered
    raw: Any = MockRawResponse(body)
    shown: Any = headers
    return AWSResponse(request.url, status, shown, raw)


@cache
def _prepare() -> None:
    """Replace moto's parser of PartiQL, which knows neither a second ``SET`` nor ``IS MISSING``.

    Functions answer with their own event: moto would start a container for each.
    """
    backend: Any = DynamoDBBackend
    backend.batch_execute_statement = _execute_each
    _compare_texts_at_once()
    default_user_config["lambda"] = {"use_docker": False}


def _compare_texts_at_once() -> None:
    """Save half the time of moto's queries, each of which sorts its whole table.

    Values are texts most often, and so are all keys.
    """
    shown: Any = DynamoType
    others = shown.cast_value.fget
    shown.cast_value = property(lambda held: held.value if held.type == "S" else others(held))
    table: Any = Table
    table.all_items = _all_items


def _all_items(table: Table) -> list[Item]:
    items: Any = [item for rows in table.items.values() for item in rows.values()]
    return sorted(items, key=lambda item: (item.hash_key.value, item.range_key.value))


def _execute_each(
    backend: DynamoDBBackend, statements: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    return [_execute(backend, each) for each in statements]


def _execute(backend: DynamoDBBackend, statement: Mapping[str, Any]) -> dict[str, Any]:
    inserted = _INSERTION.fullmatch(statement["Statement"])
    return _insert(backend, statement, inserted) if inserted else _update(backend, statement)


def _insert(
    backend: DynamoDBBackend, statement: Mapping[str, Any], read: re.Match[str]
) -> dict[str, Any]:
    """Execute one ``INSERT`` by moto's own ``PutItem``, for a key that does not exist."""
    names = _FIELD.findall(read["item"])
    item = dict(zip(names, statement["Parameters"], strict=True))
    try:
        backend.put_item(read["table"], item, condition_expression="attribute_not_exists(pk)")
    except ConditionalCheckFailed:
        return {"Error": {"Code": "DuplicateItem", "Message": "refused"}}
    return {"TableName": read["table"]}


def _update(backend: DynamoDBBackend, statement: Mapping[str, Any]) -> dict[str, Any]:
    """Execute one ``UPDATE`` by moto's own ``UpdateItem``, under the same condition."""
    read = _STATEMENT.fullmatch(statement["Statement"])
    assert read is not None, statement["Statement"]
    words = _Words(statement["Parameters"])
    sets = [f"{words.name(name)} = {words.value()}" for name in _SET.findall(read["changes"])]
    gone = [words.name(name) for name in _REMOVE.findall(read["changes"])]
    conditions, key = ["attribute_exists(pk)"], {}
    for name, wanted in _CONDITION.findall(read["conditions"]):
        if name in {"pk", "sk"}:
            key[name] = words.parameter()
        elif wanted == "IS MISSING":
            conditions.append(f"attribute_not_exists({words.name(name)})")
        else:
            conditions.append(f"{words.name(name)} = {words.value()}")
    actions = {"SET": sets, "REMOVE": gone}
    try:
        backend.update_item(
            read["table"],
            key,
            " ".join(f"{verb} {', '.join(all_)}" for verb, all_ in actions.items() if all_),
            words.names,
            words.values,
            condition_expression=" AND ".join(conditions),
            return_values_on_condition_check_failure="ALL_OLD",
        )
    except ConditionalCheckFailed:
        shows = statement.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        found = backend.get_item(read["table"], key) if shows else None
        item = {"Item": found.to_json()["Attributes"]} if found is not None else {}
        return {"Error": {"Code": "ConditionalCheckFailed", "Message": "refused", **item}}
    return {"TableName": read["table"]}


class _Words:
    """Placeholders of an expression, with the parameters of a statement in their order."""

    def __init__(self, parameters: Sequence[Mapping[str, Any]]) -> None:
        self._parameters = iter(parameters)
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, quoted: str) -> str:
        word = f"#n{len(self.names)}"
        self.names[word] = quoted.strip('"')
        return word

    def value(self) -> str:
        word = f":v{len(self.values)}"
        self.values[word] = self.parameter()
        return word

    def parameter(self) -> Any:  # noqa: ANN401 - an attribute's value
        return next(self._parameters)
