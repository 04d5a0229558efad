"""Commands that measure the numbers quoted in notebooks, tests and pages."""
