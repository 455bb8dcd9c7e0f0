"""``timegate admin``: tools for the operator of a stage, who asks AWS and not the API."""
