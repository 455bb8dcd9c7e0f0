"""The API described in OpenAPI 3.1, generated from its routes and models.

``PYTHONPATH=functions python -m api.openapi docs/reference/openapi.json`` writes the description.
Nothing that serves requests imports this package: models of answers would cost every cold start.
"""
