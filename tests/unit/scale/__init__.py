"""The model of AWS at full size."""
