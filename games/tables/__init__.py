"""From the JSON of the rules to what templates draw. `get_table` is where every other layer starts."""

from games.rules import UnknownGame
from games.tables.belot import BelotDrawing
from games.tables.bids import BidsDrawing
from games.tables.bleven import BlevenDrawing
from games.tables.oh_hell import OhHellDrawing

__all__ = ["get_table"]

_DRAWINGS = (OhHellDrawing(), BelotDrawing(), BidsDrawing(), BlevenDrawing())


def get_table(slug):
    """What draws the game of that slug. Raises `UnknownGame`."""
    for drawing in _DRAWINGS:
        if drawing.slug == slug:
            return drawing
    raise UnknownGame("There is no such game here.")
