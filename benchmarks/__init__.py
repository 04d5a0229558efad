"""Commands that measure what notebooks, tests and pages quote."""
