"""Name look-ups under a deadline, on a bounded number of threads.

``getaddrinfo`` cannot be interrupted: a look-up that outlives its call keeps its thread until the
system's resolver gives up. Such threads are bounded in all and per tenant, so that one tenant's
dead name servers stop no other tenant's look-ups.
"""

import socket
from collections import Counter
from concurrent.futures import Future
from threading import Condition, Thread

from timegate.adapters.targets.http.deadline import Deadline, DeadlinePassed
from timegate.domain.actions.addresses import is_literal
from timegate.domain.values.tenant import TenantId

MAX_LOOKUPS = 32
MAX_LOOKUPS_PER_TENANT = 4

_Key = tuple[TenantId, str, int]


class NameLookups:
    """Looks names up; calls of one tenant that come together for one name share a look-up."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._under_way: dict[_Key, Future[list[str]]] = {}
        self._per_tenant: Counter[TenantId] = Counter()

    def addresses(self, tenant: TenantId, host: str, port: int, deadline: Deadline) -> list[str]:
        """Return a host's addresses, IPv4 first; raises ``OSError`` or ``DeadlinePassed``.

        Raises ``RuntimeError`` if the process may have no more threads.
        """
        if is_literal(host):
            return look_up(host, port)
        try:
            return self._look_up((tenant, host, port), deadline).result(deadline.remaining())
        except TimeoutError as error:
            raise DeadlinePassed from error

    def _look_up(self, key: _Key, deadline: Deadline) -> Future[list[str]]:
        with self._changed:
            has_room = self._changed.wait_for(lambda: self._has_room(key), deadline.remaining())
            if not has_room:
                raise DeadlinePassed
            under_way = self._under_way.get(key)
            if under_way is not None:
                return under_way
            begun = self._under_way[key] = Future()
            self._per_tenant[key[0]] += 1
        try:
            Thread(target=self._run, args=(key, begun), daemon=True, name="name-lookup").start()
        except RuntimeError as error:
            # Calls that wait for it end, and the next one begins a look-up of its own.
            begun.set_exception(error)
            self._forget(key)
        return begun

    def _has_room(self, key: _Key) -> bool:
        if key in self._under_way:
            return True
        own = self._per_tenant[key[0]]
        return len(self._under_way) < MAX_LOOKUPS and own < MAX_LOOKUPS_PER_TENANT

    def _run(self, key: _Key, looked_up: Future[list[str]]) -> None:
        _, host, port = key
        try:
            looked_up.set_result(look_up(host, port))
        except Exception as error:  # noqa: BLE001 - the waiting thread raises it
            looked_up.set_exception(error)
        finally:
            self._forget(key)

    def _forget(self, key: _Key) -> None:
        """Make room for the next look-up."""
        with self._changed:
            del self._under_way[key]
            self._per_tenant -= Counter({key[0]: 1})
            self._changed.notify_all()


def look_up(host: str, port: int) -> list[str]:
    """Return a host's addresses, IPv4 first: a Lambda outside a VPC reaches nothing else."""
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    ordered = sorted(infos, key=lambda info: info[0] is not socket.AF_INET)
    # A scoped address (fe80::1%eth0) is judged without its zone.
    return [str(info[4][0]).partition("%")[0] for info in ordered]
