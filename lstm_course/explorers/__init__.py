"""Interactive figures of a model: type a query or move a slider, and the figure changes.

Lessons 00, 03, 06 and 08.
"""

from .controls import explore, explore_push, explore_race
from .page_training import train_as_page
from .pictures import race, reading
from .weights import from_page, write_page
