"""The sandbox: run an answer in a separate process first, and stop it if it does not end."""
