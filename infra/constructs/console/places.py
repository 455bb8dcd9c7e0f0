"""Paths of the console, and what it asks for: known to its pool, its files and its local server."""

from timegate.domain.tenants.people import ROLE_SCOPES

#: Paths to which the pool's page sends people back.
SIGNED_IN, SIGNED_OUT = "/signed-in", "/signed-out"
#: Scopes that the console asks for; roles narrow them down (``functions/api/http/tenancy.py``).
CONSOLE_SCOPES = tuple(sorted(set[str]().union(*ROLE_SCOPES.values())))
