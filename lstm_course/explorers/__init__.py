"""Interactive pictures: type a query, move a slider, and the picture changes.

Lessons 00, 03, 06 and 08.
"""

from .controls import explore, explore_push, explore_race
from .pictures import race, reading
