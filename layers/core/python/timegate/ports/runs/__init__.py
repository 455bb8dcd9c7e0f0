"""Claims, held leases and logs of runs, as the use cases see them."""
