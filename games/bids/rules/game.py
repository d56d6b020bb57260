"""The rules of Bids as every game offers them: `Rules`, put together from the other modules here."""

from games.bids.rules import moves, scoring
from games.bids.rules import view as shown
from games.bids.rules.options import PRESETS, option_fields
from games.bids.rules.pack import COLOURS
from games.bids.rules.sampling import sampled
from games.bids.rules.state import Match, before_round, loaded, stored
from games.kit.contract import Meaning, Rules


class Bids(Rules):
    """Source: the rules page of Bids, whose headings the other modules name."""

    slug = "bids"
    name = "Bids"
    summary = "Bid a card for the black card in the middle: the highest number wins it, and a tie burns it."
    version = 1
    seat_counts = tuple(COLOURS)
    presets = PRESETS
    meanings = {
        "played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "trick_burnt": Meaning.TRICK_FINISHED,
        "round_scored": Meaning.DEAL_SCORED,
    }

    def option_fields(self, seats=None):
        return option_fields(seats)

    def new_match(self, seats, options):
        return before_round(Match(seats, **self.clean_options(seats, options)), (), (), None)

    # Moves

    def to_act(self, state):
        return state.to_act

    def deck(self, state):
        return moves.deck_of(state)

    def legal_moves(self, state):
        return moves.legal_moves(state)

    def apply(self, state, move):
        return moves.apply(state, move)

    # What is seen

    def view(self, state, seat):
        return shown.view(state, seat)

    def hidden_from(self, state, seat):
        return shown.hidden_from(state, seat)

    def sample(self, view, rng):
        return sampled(view, rng)

    def score_sheet(self, state):
        return shown.score_sheet(state)

    def standings(self, state):
        return scoring.standings(state)

    def events(self, before, move, after):
        return shown.events(before, move, after)

    # Positions as stored

    def dump(self, state):
        return stored(state)

    def load(self, data):
        return loaded(data)
