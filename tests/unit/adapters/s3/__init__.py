"""Adapters of S3: blobs and files of the archive."""
