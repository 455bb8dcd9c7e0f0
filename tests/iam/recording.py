"""Remembers what functions ask AWS for, in IAM's terms."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.iam.api_calls import requests_of
from tests.iam.evaluator import Request
from timegate.adapters.targets.aws import tenant_sessions
from timegate.domain.actions.target_names import name_form
from timegate.domain.values.tenant import TenantId

#: A function of the crash matrix by the name that it is deployed under.
DEPLOYED = {"executor short": "executor-normal-short", "executor long": "executor-normal-long"}


#: Executors' requests as the tenant whose run it is, with a session of the targets' role.
TARGETS = "targets"


class Recorder:
    """By function, every request; an equal one is kept once."""

    def __init__(self) -> None:
        self.asked: dict[str, set[Request]] = defaultdict(set)
        #: Calls without a form in IAM's terms.
        self.unread: list[str] = []
        #: Name of the function that has its turn.
        self.at_work: Callable[[], str] = lambda: "none"

    def hear(self, params: dict[str, Any], model: Any, **_: object) -> None:  # noqa: ANN401
        """Note a call before anything of it is sent; a hook of botocore's."""
        function = self.at_work()
        try:
            asked = requests_of(model.service_model.service_name, model.name, params)
        except Exception as error:  # noqa: BLE001 - the caller would take it for a failure of AWS
            self.unread.append(f"{function}: {model.name}: {error!r}")
            return
        tenant = tenant_sessions._ACTING_FOR.get()
        if tenant is not None and model.service_model.service_name != "sts":
            self.asked[TARGETS] |= {_tagged(each, tenant) for each in asked}
            return
        self.asked[DEPLOYED.get(function, function)] |= asked

    @staticmethod
    def wrapping(
        make: Callable[..., Any], listener: Callable[[], "Recorder"]
    ) -> Callable[..., Any]:
        """``Clients.create_client``; each client that it builds tells who listens at the moment."""

        def client(clients: Any, service: str, **settings: Any) -> Any:  # noqa: ANN401
            is_new = service not in clients._built
            made = make(clients, service, **settings)
            if is_new:
                attach(made, listener)
            return made

        return client


def _tagged(request: Request, tenant: TenantId) -> Request:
    tag = ("aws:PrincipalTag/tenant", (name_form(tenant),))
    return replace(request, context=(*request.context, tag))


def attach(client: Any, listener: Callable[[], Recorder]) -> None:  # noqa: ANN401 - any client
    """Have every call of a client noted, by the newest listener alone.

    A client outlives the story that asked for it, and each story asks for it again.
    """
    kept = vars(client)
    is_heard = "_listener" in kept
    kept["_listener"] = listener
    if is_heard:
        return

    def hear(params: dict[str, Any], model: Any, **_: object) -> None:  # noqa: ANN401
        kept["_listener"]().hear(params, model)

    client.meta.events.register("provide-client-params", hear)
    # The emitter keeps no function alive that only it knows.
    kept["_hear"] = hear
