"""A discrete-event model of AWS's published limits that drives the decision code that is deployed.

``facts`` holds the limits with their sources, ``units`` the write units that the real stores are
billed, ``model`` the services and functions, ``scenarios`` what is played, ``report`` the page.
"""
