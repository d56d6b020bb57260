"""The rules of Bids: a `Rules` class that delegates to the other modules of this package."""

from games.bids.rules import moves, options, sampling, scoring, state, view
from games.bids.rules.pack import COLOURS
from games.bids.rules.state import Match
from games.kit.contract import Meaning, Rules, made_of
from games.kit.language import lazy


@made_of(options, state, moves, scoring, view, sampling)
class Bids(Rules):
    """The docstrings of the modules name the headings of the rules page that they implement."""

    slug = "bids"
    name = "Bids"
    summary = lazy(
        "Play a card to bid for the black card in the middle: the highest number wins it, and a tie burns it."
    )
    version = 1
    seat_counts = tuple(COLOURS)
    presets = options.PRESETS
    formats = options.FORMATS
    difficulty = lazy("Easy to learn")
    meanings = {
        "played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "trick_burnt": Meaning.TRICK_FINISHED,
        "round_scored": Meaning.DEAL_SCORED,
    }

    def new_match(self, seats, options):
        return state.before_round(Match(seats, **self.clean_options(seats, options)), (), (), None)
