"""The maker of the sample data, and what is known of them.

Lessons 00, 07 to 10, 12 and 13.
"""
