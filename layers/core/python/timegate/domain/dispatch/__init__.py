"""Dispatch: messages, looks, shards and buckets."""
