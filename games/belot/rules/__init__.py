"""The rules of Belot, put together from the modules of this package."""

from games.belot.rules import moves, options, sampling, scoring, state, view
from games.belot.rules.state import Match, State
from games.belot.rules.types import View
from games.kit.contract import Meaning, Options, Rules
from games.kit.language import lazy


class Belot(Rules[State, View]):
    """Source: the rules page of Belot, whose headings the other modules name."""

    slug = "belot"
    name = "Belot"
    summary = lazy("Bid for the right to name trumps, then take more points than the other side.")
    version = 1
    seat_counts = (2, 3, 4)
    partners_at = (4,)
    presets = options.PRESETS
    usual_preset = "club"
    formats = options.FORMATS
    difficulty = lazy("A few deals to learn")
    meanings = {
        "card_played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "hand_scored": Meaning.DEAL_SCORED,
        "passed_out": Meaning.DEAL_DROPPED,
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
        return state.new_match(Match(seats, **self.clean_options(seats, options)))
