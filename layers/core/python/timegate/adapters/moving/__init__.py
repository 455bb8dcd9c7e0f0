"""Records of a tenant that move from one stage to another."""
