"""A Lambda function with Timegate's defaults, its layers and its logs."""
