"""Aliases as Lambda has them: two versions share invocations, and sources follow their template."""

from collections.abc import Callable, Mapping
from random import random
from typing import Any

from ministack.services import lambda_svc  # type: ignore[import-untyped]
from ministack.services.cloudformation import provisioners  # type: ignore[import-untyped]

_SOURCE = "AWS::Lambda::EventSourceMapping"


def share_invocations_by_weight() -> None:
    """Give the second version of an alias its share, where the emulator invokes the first alone."""
    effective: Callable[..., Any] = lambda_svc._effective_func_record_for_qualifier
    invoke: Callable[..., Any] = lambda_svc._invoke

    def shared(function: dict[str, Any] | None, qualifier: str | None) -> Any:
        reserve_for_versions(function or {})
        return effective(function, drawn(function or {}, qualifier))

    async def shared_by_callers(
        name: str,
        event: Any,
        headers: Mapping[str, str],
        path_qualifier: str | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Any:
        asked = lambda_svc._qualifier_from_path_or_query(path_qualifier, query)
        function = lambda_svc._functions.get(name) or {}
        reserve_for_versions(function)
        version = drawn(function, asked)
        return await invoke(name, event, headers, version, query)

    lambda_svc._effective_func_record_for_qualifier = shared
    lambda_svc._invoke = shared_by_callers


def reserve_for_versions(function: Mapping[str, Any]) -> None:
    """Hold every version to the function's reserved concurrency; the emulator holds none."""
    for version in function.get("versions", {}).values():
        version["concurrency"] = function.get("concurrency")


def drawn(function: Mapping[str, Any], qualifier: str | None) -> str | None:
    """Draw a version by the weights of the alias; what has none is as it was asked for."""
    alias = function.get("aliases", {}).get(qualifier, {})
    weights = alias.get("RoutingConfig", {}).get("AdditionalVersionWeights", {})
    left = random()  # noqa: S311 - shares of invocations, and no secret
    for version, weight in weights.items():
        left -= weight
        if left < 0:
            return str(version)
    return qualifier


def let_sources_follow_their_template() -> None:
    """Let an update of a source name another alias, or none; the emulator keeps the one it had."""
    handlers = provisioners._RESOURCE_HANDLERS[_SOURCE]
    update: Callable[..., Any] = handlers["update"]

    def followed(physical_id: str, old: Any, new: Any, *more: Any, **named: Any) -> Any:
        answer = update(physical_id, old, new, *more, **named)
        source = lambda_svc._esms.get(physical_id)
        if source is not None and "FunctionName" in new:
            _, source["Qualifier"] = lambda_svc._resolve_name_and_qualifier(new["FunctionName"])
        return answer

    handlers["update"] = followed
