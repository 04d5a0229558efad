"""Interactive figures: the user types a query or moves a slider, and the figure changes.

Lessons 00, 03, 06 and 08 use them in notebooks. Further lessons use them on the book's pages.
"""

from .controls import explore, explore_push, explore_race
from .page_training import train_as_page
from .pictures import race, reading
from .weights import from_page, write_page
