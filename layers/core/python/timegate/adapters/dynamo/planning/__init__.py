"""Plans, stored together with the job that moves past them."""
