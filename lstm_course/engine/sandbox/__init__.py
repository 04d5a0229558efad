"""An answer is run in a process of its own first, and stopped if it does not end."""
