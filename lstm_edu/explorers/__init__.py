"""What moves: type a query, move a slider, and the picture changes.

Lessons 00, 03, 06 and 08. Uses: plots.
"""

from .explore import explore, explore_push, explore_race, push, race, reading
