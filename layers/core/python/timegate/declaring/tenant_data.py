"""Data of a tenant's own in a definition."""

#: Data of the tenant's own, which refers to nothing here: any JSON, or texts by names of its own.
TENANT_DATA = frozenset(
    {
        "checkpoint",
        "correlation",
        "data",
        "default",
        "headers",
        "input",
        "match",
        "merge",
        "metadata",
        "parameters",
        "pattern",
        "payload",
        "payload_patch",
        "payload_schema",
        "result",
        "secret_headers",
        "tags",
    }
)
