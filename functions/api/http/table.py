"""Every route of version 1: what is described and documented comes from here."""

from api.http.places import PLACES, imported
from api.http.route import routes_of

#: In the order in which the description shows them.
ROUTES = tuple(route for name in PLACES for route in routes_of(imported(name)))
