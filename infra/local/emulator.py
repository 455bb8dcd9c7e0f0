"""The emulator with what AWS does and it does not; ``docs/operations/local-cloud.md`` lists both.

Run as a program in place of ``python -m ministack``. Each patch is one function here.
"""

import atexit
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ministack import app  # type: ignore[import-untyped]
from ministack.core import iam_actions, iam_evaluator, lambda_runtime  # type: ignore[import-untyped]
from ministack.services import cognito, dynamodb, lambda_svc  # type: ignore[import-untyped]

_VARIABLE = re.compile(r"\$\{([^}]*)\}")
#: Cluster of the call that is being decided about.
_cluster: ContextVar[str | None] = ContextVar("cluster", default=None)
_ASSUMED = re.compile(r"arn:aws:sts::(\d+):assumed-role/(.+)/[^/]+")


def put_variables_into_policies() -> None:
    """Replace ``${aws:PrincipalTag/tenant}`` in a policy's resources and conditions.

    A variable without a value lets its ARN match nothing, as on AWS; so does a value with a
    wildcard, which AWS takes literally and no resource is named by.
    """
    first_match = iam_evaluator._first_match

    def with_variables(ctx: Any, statements: list[Any], effect: str) -> Any:
        return first_match(ctx, [_filled_in(each, ctx) for each in statements], effect)

    iam_evaluator._first_match = with_variables


def name_the_role_of_a_session() -> None:
    """Give ``aws:PrincipalArn`` of a session as the ARN of its role."""
    resolve: Callable[..., Any] = iam_evaluator._resolve_condition_key

    def with_roles(key: str, ctx: Any) -> Any:
        found = resolve(key, ctx)
        if key.lower() == "aws:principalarn" and (session := _ASSUMED.fullmatch(str(found))):
            account, role = session.groups()
            return f"arn:aws:iam::{account}:role/{role}"
        return found

    iam_evaluator._resolve_condition_key = with_roles


def name_resources_of_tasks() -> None:
    """Ask IAM for revisions and tasks, with their cluster as ``ecs:cluster``.

    The emulator asks for the cluster, whatever the call is.
    """
    extract: Callable[..., str] = iam_actions.extract_resource_arn
    resolve: Callable[..., Any] = iam_evaluator._resolve_condition_key

    def of_tasks(
        service: str, method: str, path: str, headers: Any, body: bytes, *more: Any
    ) -> str:
        found = extract(service, method, path, headers, body, *more)
        _cluster.set(None)
        if service != "ecs" or ":cluster/" not in found:
            return found
        _cluster.set(found)
        return _of_a_task(found, json.loads(body))

    def with_clusters(key: str, ctx: Any) -> Any:
        return _cluster.get() if key.lower() == "ecs:cluster" else resolve(key, ctx)

    iam_actions.extract_resource_arn = of_tasks
    iam_evaluator._resolve_condition_key = with_clusters


def _of_a_task(cluster: str, asked: dict[str, Any]) -> str:
    """Return the resource of a call that names a cluster."""
    if definition := asked.get("taskDefinition"):
        name = definition.rpartition("/")[2]
        revision = name if ":" in name else f"{name}:1"
        return f"{cluster.rpartition(':cluster/')[0]}:task-definition/{revision}"
    tasks = [*asked.get("tasks", ()), *filter(None, [asked.get("task")])]
    return tasks[0] if tasks else cluster


def read_streams_side_by_side() -> None:
    """Give each reader of a stream a thread that looks four times a second, as Lambda does.

    The emulator has one thread for all of them and for queues: runs wait for ends of others.
    """
    from infra.local.invoking.stream_readers import StreamReaders  # noqa: PLC0415 - not on the path before

    readers = StreamReaders(lambda_svc._iter_all_esms, lambda_svc._poll_dynamodb_streams)
    lambda_svc._iter_all_esms = readers.of_this_thread
    lambda_svc._poll_dynamodb_streams = readers.start


def prefer_warm_workers() -> None:
    """Hand an invocation to a worker that lives before one whose process has died.

    Lambda uses an environment that is free, and replaces a dead one beside the others.
    """
    acquire: Callable[..., Any] = lambda_runtime.acquire_worker

    def with_warm_ones_first(*given: Any, **named: Any) -> Any:
        with lambda_runtime._lock:
            for entries in lambda_runtime._workers.values():
                entries.sort(key=_has_died)
        return acquire(*given, **named)

    lambda_svc.acquire_worker = with_warm_ones_first


def unpack_archives_once() -> None:
    """Let workers share one folder for each archive, as they share a layer on AWS.

    The emulator unpacks 60 MB for each worker, and each compiles every module that it imports.
    """
    folder = Path(tempfile.mkdtemp(prefix="timegate-unpacked-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    unpacking = threading.Lock()

    class Shared(zipfile.ZipFile):
        def extractall(self, path: Any = None, *_: Any) -> None:
            unpacked = folder / sha256(Path(str(self.filename)).read_bytes()).hexdigest()
            with unpacking:
                if not unpacked.exists():
                    super().extractall(half := unpacked.with_suffix(".half"))
                    half.rename(unpacked)
            Path(path).rmdir()
            Path(path).symlink_to(unpacked, target_is_directory=True)

    lambda_runtime.zipfile = SimpleNamespace(**{**vars(zipfile), "ZipFile": Shared})


def keep_groups_in_refreshed_tokens() -> None:
    """Put a person's groups into the tokens that a refresh token is exchanged for."""
    make: Callable[..., str] = cognito._fake_token

    def with_groups(sub: str, pool_id: str, client_id: str, *more: Any, **named: Any) -> str:
        user = (
            (cognito._get_pool_unscoped(pool_id) or {})
            .get("_users", {})
            .get(named.get("username"), {})
        )
        if named.get("trigger_source") == "TokenGeneration_RefreshTokens":
            named.setdefault("groups", list(user.get("_groups", [])))
        return make(sub, pool_id, client_id, *more, **named)

    cognito._fake_token = with_groups


def fill_in_the_sign_in_page() -> None:
    """Have the page of the pool name a person of this machine: one click signs in."""
    page: Callable[..., str] = cognito._login_page_html

    def filled_in(*given: Any, **named: Any) -> str:
        html = page(*given, **named)
        name, _, password = os.environ["TIMEGATE_CLOUD_PERSON"].partition(" ")
        for field, text in (("username", name), ("password", password)):
            html = html.replace(f'name="{field}"', f'name="{field}" value="{text}"', 1)
        return html

    cognito._login_page_html = filled_in


def show_statements_in_streams() -> None:
    """Show what a PartiQL statement changes in its table's stream, as DynamoDB does."""
    update: Callable[..., Any] = dynamodb._partiql_update

    def shown(table: dict[str, Any], parsed: dict[str, Any], *more: Any) -> Any:
        pk, sk, _, error = dynamodb._partiql_key_target(table, parsed)
        # Statements replace a stored item, and change none in place.
        before = None if error else table["items"].get(pk, {}).get(sk)
        answer = update(table, parsed, *more)
        after = None if error else table["items"].get(pk, {}).get(sk)
        if before != after:
            dynamodb._emit_stream_event(table["TableName"], "MODIFY", before, after)
        return answer

    dynamodb._partiql_update = shown
    insert: Callable[..., Any] = dynamodb._partiql_insert

    def shown_new(table: dict[str, Any], parsed: dict[str, Any]) -> Any:
        status, headers, body = insert(table, parsed)
        if status == HTTPStatus.OK:
            item = parsed["item"].get("M", parsed["item"])
            dynamodb._emit_stream_event(table["TableName"], "INSERT", None, item)
        return status, headers, body

    dynamodb._partiql_insert = shown_new


def _has_died(worker: Any) -> bool:
    return worker._proc is None or worker._proc.poll() is not None


def _filled_in(statement: Any, ctx: Any) -> Any:
    return replace(
        statement,
        resources=_substituted(statement.resources, ctx),
        not_resources=_substituted(statement.not_resources, ctx),
        conditions=_substituted(statement.conditions, ctx),
    )


def _substituted(value: Any, ctx: Any) -> Any:
    """Replace variables in every text of a part of a policy."""
    if isinstance(value, dict):
        return {name: _substituted(each, ctx) for name, each in value.items()}
    if isinstance(value, list):
        return [_substituted(each, ctx) for each in value]
    return _named(value, ctx) if isinstance(value, str) and "${" in value else value


def _named(arn: str, ctx: Any) -> str:
    values = {
        name: iam_evaluator._resolve_condition_key(name, ctx) for name in _VARIABLE.findall(arn)
    }
    if any(not isinstance(value, str) or set("*?") & set(value) for value in values.values()):
        return "arn:nothing"
    return _VARIABLE.sub(lambda found: values[found[1]], arn)


if __name__ == "__main__":
    put_variables_into_policies()
    name_the_role_of_a_session()
    name_resources_of_tasks()
    show_statements_in_streams()
    prefer_warm_workers()
    unpack_archives_once()
    keep_groups_in_refreshed_tokens()
    if "TIMEGATE_CLOUD_PERSON" in os.environ:
        fill_in_the_sign_in_page()
    # At the end of the path: modules of the project hide none of the same name.
    sys.path.append(str(Path(__file__).parents[2]))
    read_streams_side_by_side()
    from infra.local.invoking import aliases, log_ends, queue_signal, source_ramp
    from infra.local.serving.copies import copy_items_as_trees
    from infra.local.serving.expressions import read_expressions_once
    from infra.local.serving.http_server import serve_by_uvicorn
    from infra.local.serving.statements import parse_statements_once

    serve_by_uvicorn()
    log_ends.tell_ends_of_logs()
    queue_signal.wake_at_messages()
    source_ramp.grow_from_five()
    read_expressions_once()
    parse_statements_once()
    copy_items_as_trees()
    aliases.share_invocations_by_weight()
    aliases.let_sources_follow_their_template()
    from infra.local.telemetry.alarms import keep_metrics_and_alarms

    keep_metrics_and_alarms(minute_seconds=float(os.environ["TIMEGATE_CLOUD_MINUTE"]))
    if seconds := os.environ.get("TIMEGATE_SNAPSHOT_SECONDS"):
        from infra.local.kept_state import keep_state

        keep_state(snapshot_seconds=float(seconds))
    app.main()
