"""The rules of Bids: a `Rules` class that delegates to the other modules of this package."""

from games.bids.rules import moves, options, sampling, scoring, state, view
from games.bids.rules.pack import COLOURS
from games.bids.rules.state import Match, State
from games.bids.types import View
from games.kit.contract import Meaning, Options, Rules
from games.kit.language import lazy


class Bids(Rules[State, View]):
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

    option_fields = staticmethod(options.option_fields)
    deck = staticmethod(moves.deck)
    dealing = staticmethod(moves.dealing)
    legal_moves = staticmethod(moves.legal_moves)
    apply = staticmethod(moves.apply)
    public_view = staticmethod(view.public_view)
    private_view = staticmethod(view.private_view)
    score_sheet = staticmethod(view.score_sheet)
    standings = staticmethod(scoring.standings)
    events = staticmethod(view.events)
    sample = staticmethod(sampling.sample)
    sample_many = staticmethod(sampling.sample_many)
    hidden_from = staticmethod(view.hidden_from)
    dump = staticmethod(state.dump)
    load = staticmethod(state.load)

    def new_match(self, seats: int, options: Options) -> State:
        return state.between_rounds(Match(seats, **self.clean_options(seats, options)), (), (), None)
