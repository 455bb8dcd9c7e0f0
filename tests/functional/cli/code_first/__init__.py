"""Code first."""
