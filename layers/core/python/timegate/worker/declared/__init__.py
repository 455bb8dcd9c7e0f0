"""Jobs that are declared beside their functions."""
