"""The rules of Bleven as every game offers them: `Rules`, put together from the other modules here."""

from games.bleven.rules import moves, scoring
from games.bleven.rules import view as shown
from games.bleven.rules.options import option_fields
from games.bleven.rules.sampling import sampled
from games.bleven.rules.state import Match, cleared, loaded, stored
from games.kit.contract import CHANCE, Meaning, Rules


class Bleven(Rules):
    """Source: the rules page of Bleven, whose headings the other modules name."""

    slug = "bleven"
    name = "Bleven"
    summary = "Change your cards, predict the tricks you will win, and bet on it against whoever doubts you."
    version = 1
    seat_counts = (2, 4)
    default_seats = 2
    partners_at = (4,)
    meanings = {
        "trick_won": Meaning.TRICK_FINISHED,
        "round_scored": Meaning.DEAL_SCORED,
    }

    def option_fields(self, seats=None):
        return option_fields()

    def new_match(self, seats, options):
        match = Match(seats, **self.clean_options(seats, options))
        return cleared(match, (), (0, 0), None, "deal", CHANCE)

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
