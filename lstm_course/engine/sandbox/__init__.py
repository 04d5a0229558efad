"""Sandbox that tries an answer in a separate process first, and kills the process if it hangs."""
