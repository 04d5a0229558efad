"""What lessons measure of the paper itself: its claims, and how far its printed gradient is off.

Lessons 05a, 05b, 10b and 12.
"""
