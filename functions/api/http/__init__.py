"""HTTP of the API: routes, requests, conditions, tokens and problems."""
