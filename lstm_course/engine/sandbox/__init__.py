"""Sandbox that first runs an answer in a separate process, which is killed if the answer hangs."""
