"""The adapters that speak to the outside, each by itself."""
