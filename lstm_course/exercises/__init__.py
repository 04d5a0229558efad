"""The exercises: each has a solution, inputs for its check, and a table of likely mistakes."""
