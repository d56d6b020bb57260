"""The rules of Belot as every game offers them: `Rules`, put together from the other modules here."""

from games.belot.rules import moves, scoring
from games.belot.rules import view as shown
from games.belot.rules.options import PRESETS, option_fields
from games.belot.rules.sampling import sampled
from games.belot.rules.state import Match, loaded, new_match, stored
from games.kit.contract import Meaning, Rules


class Belot(Rules):
    """Source: the rules page of Belot, whose headings the other modules name."""

    slug = "belot"
    name = "Belot"
    summary = "Bid what shall be trumps, then take more points than the others: with a partner, to 151."
    version = 1
    seat_counts = (2, 3, 4)
    partners_at = (4,)
    presets = PRESETS
    meanings = {
        "card_played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "hand_scored": Meaning.DEAL_SCORED,
        "passed_out": Meaning.DEAL_DROPPED,
    }

    def option_fields(self, seats=None):
        return option_fields(seats)

    def new_match(self, seats, options):
        return new_match(Match(seats, **self.clean_options(seats, options)))

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
