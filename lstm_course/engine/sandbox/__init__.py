"""Sandbox that runs an answer in a separate process first, and stops it if it doesn't end."""
