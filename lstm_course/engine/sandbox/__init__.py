"""Sandbox that first runs an answer in a separate process, and stops it if it doesn't end."""
