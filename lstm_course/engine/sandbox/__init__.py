"""The sandbox runs an answer in a separate process first, and stops it if it does not end."""
